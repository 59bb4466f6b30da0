--- The one Cache-Control that travels between the hops, decided from the site's rules and the origin's headers (RFC 9111,
-- 5861, 9213). Pure: tables in, values out.
local _M = {}

local YEAR = 31536000
--- Statuses that a rule of the site may keep, and for how long at most. Others are kept only if the origin says how long.
local RULE_STATUS = { [200] = YEAR, [203] = YEAR, [300] = YEAR, [301] = YEAR, [308] = YEAR, [404] = 60, [410] = 60, [304] = YEAR }
--- Statuses that are never kept whatever the origin says.
local function never(status) return status >= 500 or status == 206 or status == 416 or status < 200 end

--- Cache-Control text to a table: directive -> value or true.
function _M.parse(text)
    local directives = {}
    for name, quoted, value in text:lower():gmatch('([%w%-]+)%s*=?%s*("?)([^,"]*)"?') do
        value = value:match("^%s*(.-)%s*$")
        directives[name] = (value ~= "" or quoted ~= "") and value or true
    end
    return directives
end

local function seconds(value)
    local number = type(value) == "string" and value:match("^%d+$") and tonumber(value)
    return number and math.min(number, YEAR) or nil
end

--- Seconds for which the origin lets a shared cache keep the answer: 0 = not at all, nil = it does not say.
local function origin_ttl(directives, headers, now)
    if directives["no-cache"] then return 0 end
    local ttl = seconds(directives["s-maxage"]) or seconds(directives["max-age"])
    if ttl then return ttl end
    if headers.cdn or not headers.expires then return nil end
    local expires = ngx.parse_http_time(headers.expires)
    if not expires then return 0 end
    local date = headers.date and ngx.parse_http_time(headers.date) or now
    return math.max(0, math.min(expires - date, YEAR))
end

local function forbidden(directives, headers, status)
    return never(status) or directives["no-store"] or directives["private"] or headers.set_cookie
        or (headers.vary and headers.vary:find("*", 1, true))
end

local function stale(policy, directives, name, setting)
    if setting > 0 then return setting end
    return seconds(directives[name]) or 0
end

--- What the cache shall do with an answer.
-- `headers`: cache_control, cdn_cache_control, expires, date, age, vary (texts or nil), set_cookie (boolean).
-- `rule_ttl`: seconds by the site's rule or nil. Gives the text of the canonical Cache-Control, and ttl (0 = not kept).
function _M.decide(policy, rule_ttl, status, headers, now)
    local cdn = headers.cdn_cache_control
    local directives = _M.parse(cdn or headers.cache_control or "")
    headers.cdn = cdn
    if forbidden(directives, headers, status) then return "no-store", 0 end
    local ttl
    if rule_ttl and RULE_STATUS[status] then
        ttl = math.min(rule_ttl, RULE_STATUS[status])
    else
        ttl = origin_ttl(directives, headers, now)
        if ttl then ttl = ttl - (tonumber(headers.age) or 0) end
    end
    if not ttl or ttl <= 0 then return "no-store", 0 end
    local text = ("max-age=%d"):format(ttl)
    if directives["must-revalidate"] or directives["proxy-revalidate"] then return text, ttl end
    local swr = stale(policy, directives, "stale-while-revalidate", policy.swr)
    local sie = stale(policy, directives, "stale-if-error", policy.sie)
    if swr > 0 then text = ("%s, stale-while-revalidate=%d"):format(text, swr) end
    if sie > 0 then text = ("%s, stale-if-error=%d"):format(text, sie) end
    return text, ttl
end

--- Vary without Accept-Encoding (which is in the key, normalised), or nil; second: whether it was there.
function _M.without_accept_encoding(vary)
    if not vary then return nil, false end
    local rest, found = {}, false
    for name in vary:gmatch("[^,%s]+") do
        if name:lower() == "accept-encoding" then found = true else rest[#rest + 1] = name end
    end
    return #rest > 0 and table.concat(rest, ", ") or nil, found
end

return _M
