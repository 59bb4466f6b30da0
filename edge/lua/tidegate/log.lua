--- One line of JSON for each request (packages/contract/src/node/log.ts), handed to the shipper.
local ffi = require "ffi"
local plain = require "tidegate.plain"
local sites = require "tidegate.sites"
local shipper = require "tidegate.shipper"
local variable = require "tidegate.variable"
local whole = require "tidegate.whole"

ffi.cdef [[ void *memchr(const void *text, int byte, size_t size); ]]

local _M = {}

local C = ffi.C
local QUOTE, BACKSLASH = 34, 92
local URI_MOST, TEXT_MOST = 2048, 512
local json_string = sites.json_string

--- What a text is in a string of JSON, without the quotation marks, cut to so many bytes of the text.
local function escaped(text, most) return (json_string(text:sub(1, most)):sub(2, -2)) end

--- The same of names of visitors' programs, which are few.
local AGENTS_MOST = 2000
local agents, agent_count = {}, 0

local function agent_of(text)
    local agent = agents[text]
    if not agent then
        agent = escaped(text, TEXT_MOST)
        if agent_count >= AGENTS_MOST then agents, agent_count = {}, 0 end
        agents[text] = agent
        agent_count = agent_count + 1
    end
    return agent
end

local function milliseconds(seconds) return whole(math.floor(seconds * 1000 + 0.5)) end

--- Milliseconds of the whole time with upstreams ("0.001, 0.020 : 0.003"), -1 when none was asked.
local function upstream_ms(text)
    if not text then return "-1" end
    local total, any = 0, false
    for number in text:gmatch("[%d.]+") do
        total, any = total + tonumber(number), true
    end
    return any and milliseconds(total) or "-1"
end

local STATES = { HIT = "HIT", MISS = "MISS", EXPIRED = "EXPIRED", STALE = "STALE", UPDATING = "UPDATING", REVALIDATED = "REVALIDATED" }

local function sum(text)
    local total = 0
    for number in (text or ""):gmatch("%d+") do total = total + tonumber(number) end
    return ("%d"):format(total)
end

local function tail_of(copy)
    local var = ngx.var
    local status, up = copy:match("^(%u*) %d* ?(.*)$")
    local why = var.tg_reason
    local asked = var.upstream_response_time ~= nil and status ~= "STALE" and status ~= "UPDATING"
    local cache = why ~= "" and "NONE" or STATES[status] or (var.tg_pass == "1" and "BYPASS" or "NONE")
    return (',"org":%s,"cache":"%s","oms":%s,"up":%s,"why":%s}\n'):format(asked and sum(var.upstream_bytes_received) or "0", cache,
        asked and upstream_ms(var.upstream_response_time) or "-1", json_string(asked and up or ""),
        json_string(why))
end

local HIT_TAIL = ',"org":0,"cache":"HIT","oms":-1,"up":"","why":""}\n'

-- Beginning of the line; the same for all requests that end within one turn of the event loop.
local turn, head = -1, ""

local function head_of(now)
    if now ~= turn then
        turn, head = now, '{"ts":' .. milliseconds(now) .. ',"rid":"'
    end
    return head
end

local function put(line, at, text)
    ffi.copy(line + at, text, #text)
    return at + #text
end

local function put_variable(line, at, name)
    local text, size = variable.read(name)
    ffi.copy(line + at, text, size)
    return at + size
end

-- The URI as it is, or escaped if a string of JSON cannot have it so. (nginx refuses a request line with control characters.)
local function put_uri(line, at)
    local text, size = variable.read "request_uri"
    if size > URI_MOST or C.memchr(text, QUOTE, size) ~= nil or C.memchr(text, BACKSLASH, size) ~= nil then
        return put(line, at, escaped(ffi.string(text, size), URI_MOST))
    end
    ffi.copy(line + at, text, size)
    return at + size
end

-- `id`: 32 bytes; `site`, of `site_size` bytes: the site's part of the line. Pointers or strings: a pointer into a string would not
-- keep it from the collector.
local function write(id, site, site_size, agent, referer, tail)
    local now = ngx.now()
    local line = shipper.room()
    local at = put(line, 0, head_of(now))
    ffi.copy(line + at, id, 32)
    at = put_variable(line, at + 32, "tg_line")
    ffi.copy(line + at, site, site_size)
    at = put(line, at + site_size, whole(ngx.status))
    at = put_uri(line, put(line, at, ',"uri":"'))
    at = put(line, put(line, at, '","ua":"'), agent)
    at = put(line, put(line, at, '","ref":"'), referer)
    at = put(line, put(line, at, '","ms":'), milliseconds(now - ngx.req.start_time()))
    shipper.finish(put(line, at, tail))
end

-- A request that was answered from the cache on the short way.
local function write_hit(record, visit)
    local agent = agent_of(ffi.string(visit.agent, visit.agent_size))
    local referer = visit.referer_size == 0 and "" or escaped(ffi.string(visit.referer, visit.referer_size), TEXT_MOST)
    return write(visit.id, record.text + record.front, record.log, agent, referer, HIT_TAIL)
end

--- log_by_lua of the outer servers.
function _M.run()
    local record, visit = plain.finish()
    if record then return write_hit(record, visit) end
    local var = ngx.var
    local copy = var.tg_copy
    if var.tg_why == "probe" then return end
    local tail = copy:sub(1, 4) == "HIT " and HIT_TAIL or tail_of(copy)
    local agent, referer = agent_of(var.http_user_agent or ""), escaped(var.http_referer or "", TEXT_MOST)
    local site = sites.target(var.tg_target).log
    return write(var.tg_rid, site, #site, agent, referer, tail)
end

return _M
