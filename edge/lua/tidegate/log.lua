--- One line of JSON for each request (packages/contract/src/node/log.ts), handed to the shipper. Strings that come from the
-- client and repeat are escaped once and remembered.
local sites = require "tidegate.sites"
local shipper = require "tidegate.shipper"
local table_new = require "table.new"
local variable = require "tidegate.variable"

local _M = {}

local URI_MOST, TEXT_MOST, AGENTS_MOST = 2048, 512, 2000
local json_string = sites.json_string
local agents, agent_count = {}, 0

local function agent_of(text)
    local var = ngx.var
    local fragment = '"ua":' .. json_string((var.http_user_agent or ""):sub(1, TEXT_MOST)) .. ',"ref":'
        .. json_string((var.http_referer or ""):sub(1, TEXT_MOST))
    if agent_count >= AGENTS_MOST then agents, agent_count = {}, 0 end
    agents[text] = fragment
    agent_count = agent_count + 1
    return fragment
end

local function put_uri(line)
    line:put '"'
    if not variable.append_plain(line, "request_uri", URI_MOST) then
        line:put((json_string((ngx.var.request_uri or ""):sub(1, URI_MOST)):sub(2, -2)))
    end
    line:put '"'
end

-- Texts of small whole numbers, made before the workers are: statuses, durations. A table without gaps, which compiled code can read.
local TEXTS_BELOW = 10000
local texts = table_new(TEXTS_BELOW, 0)
for number = 0, TEXTS_BELOW - 1 do texts[number] = ("%d"):format(number) end

local function whole(number)
    if number >= 0 and number < TEXTS_BELOW then return texts[number] end
    return ("%d"):format(number)
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
        turn, head = now, '{"ts":' .. milliseconds(now) .. ","
    end
    return head
end

--- log_by_lua of the outer server.
function _M.run()
    local var = ngx.var
    local copy = var.tg_copy
    local tail
    if copy:byte(1) == 72 and copy:byte(2) == 73 then -- "HIT …"
        tail = HIT_TAIL
    else
        if var.tg_why == "probe" then return end
        tail = tail_of(copy)
    end
    local text = var.tg_agent
    local agent = agents[text] or agent_of(text)
    local target = sites.target(var.tg_target)
    local now = ngx.now()
    local ms = milliseconds(now - ngx.req.start_time())
    -- From here on nothing can fail, so no line stays half written.
    local line = shipper.line()
    line:put(head_of(now))
    variable.append(line, "tg_line")
    line:put(target.log, whole(ngx.status), ',"uri":')
    put_uri(line)
    line:put(",", agent, ',"ms":', ms, tail)
    shipper.finish()
end

return _M
