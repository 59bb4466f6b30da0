--- The origins of a site, compiled: which addresses may be used, in which order they are tried.
local bit = require "bit"
local ip = require "tidegate.ip"
local store = require "tidegate.store"

local _M = {}

local dead = ngx.shared.tg_dead
--- Seconds for which an origin that failed is passed over while another lives, unless the settings say otherwise.
local DEAD_SECONDS = 10
--- A refused or reset connection counts fully; a slow answer must happen so often within the time to count as death.
local DEAD_COUNT = 3

--- Compiles `allowedPrivateOrigins` into a function (host, port, words) -> boolean.
local function allowance(list)
    local all, pairs_allowed, cidrs = false, {}, {}
    for _, entry in ipairs(list) do
        local cidr = ip.parse_cidr(entry)
        if entry == "*" then
            all = true
        elseif cidr then
            cidrs[#cidrs + 1] = cidr
        else
            pairs_allowed[entry:lower()] = true
        end
    end
    return function(host, address, port, words)
        if all or pairs_allowed[host:lower() .. ":" .. port] or pairs_allowed[address .. ":" .. port]
            or pairs_allowed["[" .. address .. "]:" .. port] then
            return true
        end
        for i = 1, #cidrs do
            if ip.within(words, cidrs[i]) then return true end
        end
        return false
    end
end

local allowed, allowed_from

local function may_use(host, address, port)
    local words = ip.parse(address)
    if not words then return false end
    if not ip.is_private(words) then return true end
    return allowed(host, address, port, words)
end

local function refresh_allowance()
    local settings = store.settings()
    local text = table.concat(settings.allowedPrivateOrigins, "\n")
    if text ~= allowed_from then allowed, allowed_from = allowance(settings.allowedPrivateOrigins), text end
end

--- Candidates of a site body for a scheme: lists main and spare of {address, port, weight, name}, and how many the guard refused.
function _M.candidates(body, scheme)
    refresh_allowance()
    local lines, refused = { main = {}, spare = {} }, 0
    for i, server in ipairs(body.origin.servers) do
        local port = scheme == "https" and server.httpsPort or server.httpPort
        for _, address in ipairs(body.addresses[i] or {}) do
            if may_use(server.host, address, port) then
                local plain = address:match("^%[(.*)%]$") or address
                local shown = plain:find(":", 1, true) and "[" .. plain .. "]" or plain
                local line = lines[server.line]
                line[#line + 1] = { address = shown, port = port, weight = server.weight, name = shown .. ":" .. port }
            else
                refused = refused + 1
            end
        end
    end
    return lines, refused
end

--- Whether every known address of a body is refused by the guard, for whichever scheme it may be asked.
function _M.all_refused(body)
    for _, scheme in ipairs { "http", "https" } do
        if body.origin.protocol == scheme or body.origin.protocol == "follow" then
            local lines, refused = _M.candidates(body, scheme)
            if #lines.main + #lines.spare > 0 or refused == 0 then return false end
        end
    end
    return true
end

--- Where a line of candidates begins for a number in [0, 1): the weights share the range.
local function begin(line, at)
    local total = 0
    for i = 1, #line do total = total + line[i].weight end
    local point = at * total
    for i = 1, #line do
        point = point - line[i].weight
        if point < 0 then return i end
    end
    return #line
end

local function append(order, spared, line, at)
    if #line == 0 then return end
    local first = begin(line, at)
    for offset = 0, #line - 1 do
        local candidate = line[(first - 1 + offset) % #line + 1]
        local list = (dead:get(candidate.name) or 0) >= DEAD_COUNT and spared or order
        list[#list + 1] = candidate
    end
end

local turn = math.random()
--- The golden ratio's fraction spreads successive numbers evenly over [0, 1), whatever the weights.
local STEP = 0.6180339887498949

local function position(balance, client)
    if balance == "iphash" then return ngx.crc32_short(client) / 4294967296 end
    turn = (turn + STEP) % 1
    return turn
end

local function prefer(order, cookie)
    for i = 2, #order do
        if _M.cookie_of(order[i]) == cookie then
            table.insert(order, 1, table.remove(order, i))
            return
        end
    end
end

--- Candidates in the order to try them: main before spare, the living before those that failed lately.
function _M.order(lines, balance, client, cookie)
    local order, spared = {}, {}
    append(order, spared, lines.main, position(balance, client))
    if balance == "cookie" and cookie then prefer(order, cookie) end
    append(order, spared, lines.spare, position(balance, client))
    for i = 1, #spared do order[#order + 1] = spared[i] end
    return order
end

--- The cookie value that stands for an origin: tells nothing about its address.
function _M.cookie_of(candidate)
    candidate.cookie = candidate.cookie or bit.tohex(ngx.crc32_long(candidate.name))
    return candidate.cookie
end

--- Remembers a failure. `sure`: the connection failed, not just the answer's time.
function _M.failed(name, sure)
    local tunables = store.settings().tunables
    dead:incr(name, sure and DEAD_COUNT or 1, 0, tunables and tunables.originRestSeconds or DEAD_SECONDS)
end

return _M
