--- Shapes of the items that the agent sends. It has checked them against the contract; this is the engine's own guard, since
-- a body that does not fit must not reach the request path. Each function gives nil, or what is wrong.
local _M = {}

local function is_string(value, most) return type(value) == "string" and #value <= (most or 8192) end
local function is_int(value, least, most)
    return type(value) == "number" and value % 1 == 0 and value >= least and value <= most
end
local function is_one_of(value, words) return type(value) == "string" and words[value] == true end

local PROTOCOLS = { follow = true, http = true, https = true }
local BALANCES = { polling = true, iphash = true, cookie = true }
local LINES = { main = true, spare = true }
local RULE_TYPES = { all = true, ext = true, prefix = true, exact = true }
local REDIRECTS = { [301] = true, [302] = true, [307] = true, [308] = true }
local PURGE_KINDS = { site = true, url = true, dir = true }

local function host_error(host)
    if not is_string(host, 255) then return "hosts: not a name" end
    local name = host:gsub("^%*%.", "", 1)
    if name == "" or not name:match("^[%l%d%._%-:%[%]]+$") then return "hosts: not a name: " .. host end
    return nil
end

local function origin_error(origin, addresses)
    if type(origin) ~= "table" then return "origin: missing" end
    if not is_one_of(origin.protocol, PROTOCOLS) then return "origin.protocol" end
    if not is_one_of(origin.balance, BALANCES) then return "origin.balance" end
    if type(origin.servers) ~= "table" or #origin.servers == 0 then return "origin.servers: none" end
    if type(addresses) ~= "table" then return "addresses: missing" end
    for i, server in ipairs(origin.servers) do
        if type(server) ~= "table" or not is_string(server.host, 255) or not is_one_of(server.line, LINES)
            or not is_int(server.httpPort, 1, 65535) or not is_int(server.httpsPort, 1, 65535)
            or not is_int(server.weight, 1, 100) then
            return "origin.servers: " .. i
        end
        if type(addresses[i]) ~= "table" then return "addresses: " .. i end
        for _, address in ipairs(addresses[i]) do
            if not is_string(address, 60) then return "addresses: " .. i end
        end
    end
    if not is_string(origin.hostHeader, 260) or origin.hostHeader:find("[%c%s]") then return "origin.hostHeader" end
    if not is_string(origin.sni, 255) or origin.sni:find("[%c%s]") then return "origin.sni" end
    if type(origin.verifyTls) ~= "boolean" then return "origin.verifyTls" end
    if not is_int(origin.connectTimeout, 1, 300) then return "origin.connectTimeout" end
    if not is_int(origin.readTimeout, 1, 3600) then return "origin.readTimeout" end
    if not is_int(origin.retries, 0, 10) then return "origin.retries" end
    return nil
end

local function rules_error(rules, name)
    if type(rules) ~= "table" or #rules > 200 then return "cache." .. name end
    for i, rule in ipairs(rules) do
        if type(rule) ~= "table" or not is_one_of(rule.type, RULE_TYPES) or not is_string(rule.match)
            or not is_int(rule.ttl, 0, 31536000) then
            return "cache." .. name .. ": " .. i
        end
    end
    return nil
end

local function cache_error(cache)
    if type(cache) ~= "table" then return "cache: missing" end
    if type(cache.enabled) ~= "boolean" then return "cache.enabled" end
    if type(cache.ignoreQuery) ~= "boolean" then return "cache.ignoreQuery" end
    if not is_int(cache.staleWhileRevalidate, 0, 86400) then return "cache.staleWhileRevalidate" end
    if not is_int(cache.staleIfError, 0, 604800) then return "cache.staleIfError" end
    return rules_error(cache.rules, "rules") or rules_error(cache.noCache, "noCache")
end

local function https_error(https)
    if type(https) ~= "table" then return "https: missing" end
    if not is_string(https.cert, 200) then return "https.cert" end
    if type(https.redirect) ~= "boolean" then return "https.redirect" end
    if not REDIRECTS[https.redirectStatus] then return "https.redirectStatus" end
    if not is_int(https.hstsMaxAge, 0, 63072000) then return "https.hstsMaxAge" end
    return nil
end

function _M.site(body)
    if type(body) ~= "table" or not is_int(body.id, 1, 2 ^ 53) then return "id" end
    if type(body.enabled) ~= "boolean" then return "enabled" end
    if type(body.hosts) ~= "table" or #body.hosts == 0 then return "hosts: none" end
    for _, host in ipairs(body.hosts) do
        local err = host_error(host)
        if err then return err end
    end
    return origin_error(body.origin, body.addresses) or cache_error(body.cache) or https_error(body.https)
end

function _M.cert(body)
    if type(body) ~= "table" or not is_string(body.certPem, 200000) or not is_string(body.keyPem, 50000) then
        return "certPem, keyPem"
    end
    if type(body.names) ~= "table" then return "names" end
    for _, name in ipairs(body.names) do
        if not is_string(name, 255) or name:find("%s") then return "names" end
    end
    if not is_int(body.notAfter, 0, 2 ^ 53) then return "notAfter" end
    return nil
end

function _M.challenge(body)
    if type(body) ~= "table" or not is_string(body.host, 253) or body.host:find("%s") then return "host" end
    if not is_string(body.token, 128) or not body.token:match("^[%w_-]+$") then return "token" end
    if not is_string(body.keyAuthorization, 255) or not body.keyAuthorization:match("^[%w_.-]+$") then return "keyAuthorization" end
    if not is_int(body.expires, 0, 2 ^ 53) then return "expires" end
    return nil
end

function _M.purge(body)
    if type(body) ~= "table" or not is_int(body.siteId, 1, 2 ^ 53) or not is_int(body.generation, 0, 2 ^ 53) then
        return "siteId, generation"
    end
    if not is_one_of(body.kind, PURGE_KINDS) then return "kind" end
    if not is_string(body.value, 16384) then return "value" end
    if body.kind ~= "site" and not body.value:find("/", 1, true) then return "value: host and path" end
    return nil
end

function _M.settings(body)
    if type(body) ~= "table" or type(body.allowedPrivateOrigins) ~= "table" or not is_string(body.brand, 200) then
        return "allowedPrivateOrigins, brand"
    end
    for _, entry in ipairs(body.allowedPrivateOrigins) do
        if not is_string(entry, 300) then return "allowedPrivateOrigins" end
    end
    local tunables = body.tunables
    if tunables ~= nil and type(tunables) ~= "table" then return "tunables" end
    local rest = tunables and tunables.originRestSeconds
    if rest ~= nil and not is_int(rest, 1, 600) then return "tunables.originRestSeconds" end
    return nil
end

return _M
