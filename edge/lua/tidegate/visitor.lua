--- What decides how a request is treated, read from its headers in one pass and without a Lua string for each.
local base = require "resty.core.base"
local ffi = require "ffi"
require "resty.core.request" -- declares the two functions below

ffi.cdef [[
int memcmp(const void *a, const void *b, size_t size);
void *memmem(const void *text, size_t size, const void *part, size_t part_size);
]]

local _M = {}

local C = ffi.C
--- Requests with more headers than this do not go the short way.
local HEADERS_MOST = 64
local headers = ffi.new("ngx_http_lua_ffi_table_elt_t[?]", HEADERS_MOST)
local truncated = ffi.new("int[1]")
local AS_LOWER_CASE = 0

-- Ends of cache keys by Accept-Encoding, and how many are remembered.
local ENCODINGS_MOST = 2000
local suffixes, suffix_count = {}, 0

local function suffix_of(text)
    local suffix = ngx.var.tg_gzip == "gzip" and "\ngzip" or ""
    if suffix_count >= ENCODINGS_MOST then suffixes, suffix_count = {}, 0 end
    suffixes[text] = suffix
    suffix_count = suffix_count + 1
    return suffix
end

local function is(key, name) return C.memcmp(key.data, name, #name) == 0 end

--- End of the cache key of a request that may be answered from the cache; nil when its headers ask for a closer look. What the log
-- says of the visitor is put into `visit` (plain.lua), as pointers that hold until the request ends.
function _M.read(visit)
    local request = base.get_request()
    local count = C.ngx_http_lua_ffi_req_get_headers_count(request, HEADERS_MOST, truncated)
    if count <= 0 or truncated[0] ~= 0 then return nil end
    if C.ngx_http_lua_ffi_req_get_headers(request, headers, count, AS_LOWER_CASE) ~= 0 then return nil end
    local suffix
    visit.agent_size, visit.referer_size = 0, 0
    for at = 0, count - 1 do
        local key, value = headers[at].key, headers[at].value
        local size = key.len
        if size == 10 then
            if visit.agent_size == 0 and is(key, "user-agent") then visit.agent, visit.agent_size = value.data, value.len end
        elseif size == 6 then
            if is(key, "accept") and C.memmem(value.data, value.len, "text/event-stream", 17) ~= nil then return nil end
        elseif size == 7 then
            if visit.referer_size == 0 and is(key, "referer") then
                visit.referer, visit.referer_size = value.data, value.len
            elseif is(key, "upgrade") then
                return nil
            end
        elseif size == 13 then
            -- An answer to a request with credentials is the sender's own (RFC 9111, 3.5).
            if is(key, "authorization") then return nil end
        elseif size == 15 and is(key, "accept-encoding") then
            if suffix then return nil end
            local text = ffi.string(value.data, value.len)
            suffix = suffixes[text] or suffix_of(text)
        end
    end
    return suffix or ""
end

return _M
