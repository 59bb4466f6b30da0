--- The configuration in shared memory: what all workers have in common and what outlives a worker.
-- Writers change the dictionaries first, then append to the journal, then raise the shared sequence number; a worker that
-- sees a number other than its own reads the journal from there (sites.lua). Nothing here is read on a cache hit.
local cjson = require "cjson.safe"
local policies = require "tidegate.policy"

local _M = {}

local meta, sites, hosts, journal = ngx.shared.tg_meta, ngx.shared.tg_sites, ngx.shared.tg_hosts, ngx.shared.tg_journal

--- Beyond so many changes at once, workers drop all that they compiled instead of looking at each.
local EVENTS_MOST = 2000

local DEFAULT_SETTINGS = { allowedPrivateOrigins = {}, brand = "Tidegate" }

--- Joins the shared number of the master; called once before workers are forked.
function _M.attach(shared_number)
    _M.number = shared_number
    shared_number[0] = meta:get("seq") or 0
end

function _M.revision() return meta:get("revision") or 0 end

function _M.set_revision(revision) meta:set("revision", revision) end

--- Settings as a table; `version` changes whenever they do.
function _M.settings()
    local text = meta:get("settings")
    return text and cjson.decode(text) or DEFAULT_SETTINGS
end

function _M.put_settings(body)
    local ok, err = meta:safe_set("settings", cjson.encode(body))
    if not ok then return nil, "full", err end
    return true
end

--- The body of a site as the agent sent it, but that `cache` is the key of its cache policy; nil when unknown. `id` is text.
function _M.site(id)
    local text = sites:get(id)
    return text and cjson.decode(text)
end

--- The `cache` body behind a policy key.
function _M.cache(key) return cjson.decode(sites:get("c " .. key)) end

-- Sites with equal policies share one copy: "c <key>" the policy, "r <key>" how many sites have it.
local function hold_policy(cache)
    local key = ngx.md5(policies.fingerprint(cache))
    if sites:incr("r " .. key, 1) then return key end
    local ok, err = sites:safe_set("c " .. key, cjson.encode(cache))
    if ok then ok, err = sites:safe_set("r " .. key, 1) end
    if not ok then
        sites:delete("c " .. key)
        return nil, err
    end
    return key
end

local function release_policy(key)
    if (sites:incr("r " .. key, -1) or 0) > 0 then return end
    sites:delete("c " .. key)
    sites:delete("r " .. key)
end

--- The id (text) of the site that holds exactly this host or pattern, or nil.
function _M.holder(host) return hosts:get(host) end

local function hosts_of(body)
    local set = {}
    for _, host in ipairs(body and body.hosts or {}) do set[host] = true end
    return set
end

--- Stores a site and its hosts. nil, reason, detail when a host is another's or memory is short; the version before then stays.
function _M.put_site(id, body)
    local before = _M.site(id)
    for _, host in ipairs(body.hosts) do
        local holder = hosts:get(host)
        if holder and holder ~= id then return nil, "compile", "host " .. host .. " is held by site " .. holder end
    end
    local text, whole = sites:get(id), body.cache
    local key, err = hold_policy(whole)
    if not key then return nil, "full", err end
    body.cache = key
    local ok
    ok, err = sites:safe_set(id, cjson.encode(body))
    body.cache = whole
    local keep = {}
    for _, host in ipairs(ok and body.hosts or {}) do
        keep[host] = true
        if ok then ok, err = hosts:safe_set(host, id) end
    end
    if not ok then
        release_policy(key)
        if text then sites:safe_set(id, text) else sites:delete(id) end
        _M.release_hosts(id, body, hosts_of(before))
        return nil, "full", err
    end
    _M.release_hosts(id, before, keep)
    if before then release_policy(before.cache) end
    return true
end

--- Gives free those hosts of `body` that are not in `keep`, so that another site may take them.
function _M.release_hosts(id, body, keep)
    for _, host in ipairs(body and body.hosts or {}) do
        if not keep[host] and hosts:get(host) == id then hosts:delete(host) end
    end
end

--- Takes the hosts of the version in force back, as far as they are free.
function _M.reclaim_hosts(id)
    local body = _M.site(id)
    for _, host in ipairs(body and body.hosts or {}) do hosts:safe_add(host, id) end
end

function _M.remove_site(id)
    local before = _M.site(id)
    if not before then return end
    _M.release_hosts(id, before, {})
    release_policy(before.cache)
    sites:delete(id)
end

--- Makes changes visible to every worker. `events`: "s <id>" a site, "p <id>" its purges, "h <id>" it has uncacheable answers,
-- "*" anything. Certificates need no event: workers compare their fingerprint at each use.
function _M.announce(events)
    if #events > EVENTS_MOST then events = { "*" } end
    local number = 0
    for i = 1, #events do
        number = meta:incr("seq", 1, 0)
        journal:set(number, events[i])
    end
    if number > _M.number[0] then _M.number[0] = number end
end

function _M.event(number) return journal:get(number) end

--- Ids of all sites, as text.
function _M.site_ids()
    local ids = {}
    for _, key in ipairs(sites:get_keys(0)) do
        if key:byte(2) ~= 32 then ids[#ids + 1] = key end
    end
    return ids
end

return _M
