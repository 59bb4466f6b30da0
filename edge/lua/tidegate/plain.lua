--- The short way that most requests go: a GET of a site that has nothing to redirect, to look up or to match. What its steps need
-- of the site is one piece of memory, found once by the host; what they need of the request lies in a slot that is found by the
-- request's address and is free again once the log line is written.
local base = require "resty.core.base"
local ffi = require "ffi"
local request_id = require "tidegate.request_id"
local variable = require "tidegate.variable"
local visitor = require "tidegate.visitor"

ffi.cdef [[
// text: the beginning of the cache key (`front` bytes), then the site's part of the log line (`log` bytes).
typedef struct { uint32_t front, log; char text[?]; } tg_plain;
typedef struct { const unsigned char *agent, *referer; int agent_size, referer_size, hit; char id[32]; } tg_visit;
]]

local _M = {}

local record_type, address_type = ffi.typeof("tg_plain"), ffi.typeof("uintptr_t")
local KEY_MOST = 8192
local key = ffi.new("char[?]", KEY_MOST)
local DOT, PERCENT, SLASH = 46, 37, 47

--- Requests of this worker that may be on the short way at once; more go the long way.
local SLOTS = 8192
local visits = ffi.new("tg_visit[?]", SLOTS + 1)
local records, free, free_count = {}, {}, SLOTS
for slot = 1, SLOTS do free[slot] = SLOTS + 1 - slot end
local slots = {} -- address of a request -> its slot

local function address() return tonumber(ffi.cast(address_type, base.get_request())) end

--- What a site's plain requests need: the beginning of their cache keys and their part of the log line.
function _M.record(front, log)
    local record = record_type(#front + #log, #front, #log)
    ffi.copy(record.text, front .. log, #front + #log)
    return record
end

local function set_key(record, suffix)
    local uri, size = variable.read "request_uri"
    if size == 0 then return false end
    -- What a plain site does not own begins with "/.", be it written "/%2e" or "//.".
    local second = size > 1 and uri[1] or 0
    if second == DOT or second == PERCENT or second == SLASH then return false end
    local front = record.front
    local whole = front + size + #suffix
    if whole > KEY_MOST then return false end
    ffi.copy(key, record.text, front)
    ffi.copy(key + front, uri, size)
    ffi.copy(key + (front + size), suffix, #suffix)
    variable.set("tg_key", key, whole)
    return true
end

--- Makes the cache key of this request; false when it cannot go the short way.
function _M.begin(record)
    if free_count == 0 then return false end
    local slot = free[free_count]
    local visit = visits[slot]
    local suffix = visitor.read(visit)
    if not suffix or not set_key(record, suffix) then return false end
    visit.hit = 0
    ffi.copy(visit.id, request_id.text, 32)
    records[slot] = record
    slots[address()] = slot
    free_count = free_count - 1
    return true
end

--- Whether this request took the short way.
function _M.is_begun() return slots[address()] ~= nil end

--- This request, which took the short way, is answered from the cache.
function _M.hit() visits[slots[address()]].hit = 1 end

--- The record and the visit of a request that took the short way and was answered from the cache, else nil. They hold until the
-- next request.
function _M.finish()
    local at = address()
    local slot = slots[at]
    if not slot then return nil end
    slots[at] = nil
    free_count = free_count + 1
    free[free_count] = slot
    if visits[slot].hit == 0 then return nil end
    return records[slot], visits[slot]
end

return _M
