--- What this worker knows of the sites: compiled when first asked for, kept in plain Lua tables, dropped when the shared
-- sequence number says that something changed.
local plain = require "tidegate.plain"
local policies = require "tidegate.policy"
local purge = require "tidegate.purge"
local store = require "tidegate.store"

local _M = {}

--- Targets ("GET http a.example") kept at once. Unknown names come from anybody, so there must be an end.
local TARGETS_MOST = 100000

local compiled = {} -- id (text) -> site
local targets = {} -- "GET http a.example" -> target
local plains = { http = {}, https = {} } -- scheme -> host -> what a plain GET needs
local count = 0
local guessed = {} -- targets whose host is unknown or found by a wildcard: a new site may claim them
local seen = 0
local epoch = 0

--- Beginning of every cache key of this node's present disk cache.
function _M.epoch() return epoch end

--- Called once in each worker. `boot_epoch`: see boot.lua.
function _M.start(boot_epoch)
    epoch = boot_epoch
    seen = store.number[0]
end

local function flush()
    compiled, targets, guessed, count = {}, {}, {}, 0
    plains = { http = {}, https = {} }
end

local function forget_targets(list)
    for i = 1, #list do
        local target = targets[list[i]]
        if target then
            plains[target.scheme][target.host] = nil
            targets[list[i]] = nil
            count = count - 1
        end
    end
end

local function forget_site(id)
    local site = compiled[id]
    if site then
        forget_targets(site.targets)
        compiled[id] = nil
    end
end

local function handle(event)
    local kind, id = event:sub(1, 1), event:sub(3)
    if kind == "s" then
        forget_targets(guessed)
        guessed = {}
        forget_site(id)
    elseif kind == "p" or kind == "h" then
        local site = compiled[id]
        if site then
            if kind == "h" then site.has_uncacheable = true end
            site.generation, site.flags = purge.state(id)
            forget_targets(site.targets)
            site.targets = {}
        end
    end
end

local function sync()
    local now = store.number[0]
    for number = seen + 1, now do
        local event = store.event(number)
        if not event or event == "*" then
            flush()
            break
        end
        handle(event)
    end
    seen = now
end

local function compile(id)
    local body = store.site(id)
    if not body then return nil end
    local generation, flags = purge.state(id)
    return {
        id = id,
        enabled = body.enabled,
        policy = policies.get(body.cache, store.cache),
        redirect = body.https.redirect and body.https.redirectStatus or nil,
        hsts = body.https.hstsMaxAge > 0 and ("max-age=%d"):format(body.https.hstsMaxAge) or nil,
        cert = body.https.cert,
        cookie = body.origin.balance == "cookie",
        generation = generation,
        flags = flags,
        has_uncacheable = ngx.shared.tg_pass:get("s " .. id) ~= nil,
        targets = {},
    }
end

local function by_id(id)
    local site = compiled[id]
    if site == nil then
        site = compile(id)
        compiled[id] = site
    end
    return site
end

--- The site of a host (lower case, without port): exact, else the longest wildcard. Second: whether by its exact name.
local function lookup(host)
    local id = store.holder(host)
    if id then return by_id(id), true end
    local dot = host:find(".", 1, true)
    while dot do
        id = store.holder("*" .. host:sub(dot))
        if id then return by_id(id), false end
        dot = host:find(".", dot + 1, true)
    end
    return nil, false
end

--- The compiled site of a host, or nil.
function _M.find(host)
    if store.number[0] ~= seen then sync() end
    return (lookup(host))
end

local function json_string(text)
    return '"' .. text:gsub('[%c"\\\127]', function(char) return ("\\u%04x"):format(char:byte()) end) .. '"'
end
_M.json_string = json_string

--- Whether a GET of this target needs nothing but its key: nothing to redirect, to look up, to match.
local function is_plain(site, method, scheme)
    return site ~= nil and site.enabled and method == "GET" and site.policy.enabled
        and #site.policy.no_cache == 0 and not site.policy.ignore_query and site.flags == 0
        and not site.has_uncacheable and not (scheme == "http" and site.redirect)
        and not (scheme == "https" and site.hsts)
end

local function make_target(text)
    if count >= TARGETS_MOST then flush() end
    local method, scheme, host = text:match("^(%S+) (%S+) (.*)$")
    method, scheme, host = method or "", scheme or "http", host or ""
    local site, exact = lookup(host)
    local target = {
        site = site,
        method = method,
        scheme = scheme,
        host = host,
        --- What the log line says of it, up to the value of the status.
        log = ('"site":%s,"host":%s,"method":%s,"scheme":"%s","status":'):format(site and site.id or "0", json_string(host),
            json_string(method), scheme),
        --- Beginning of the cache key; the URI follows.
        prefix = site and ("%s/%d/%s://%s"):format(epoch, site.generation, scheme, host),
        --- The same after a generation of the URL's own.
        after = ("/%s://%s"):format(scheme, host),
    }
    if exact then
        site.targets[#site.targets + 1] = text
    else
        if site then site.targets[#site.targets + 1] = text end
        guessed[#guessed + 1] = text
    end
    targets[text] = target
    count = count + 1
    if is_plain(site, method, scheme) then plains[scheme][host] = plain.record(target.prefix, target.log) end
    return target
end

--- What a GET of this host needs when nothing is to be done but to make its key (plain.lua), else nil.
function _M.plain(scheme, host)
    if store.number[0] ~= seen then sync() end
    return plains[scheme][host]
end

--- The target of "METHOD scheme host" (the variable $tg_target). Never nil; `target.site` is nil for an unknown host.
function _M.target(text)
    if store.number[0] ~= seen then sync() end
    return targets[text] or make_target(text)
end

return _M
