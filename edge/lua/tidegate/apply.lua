--- Takes a batch of items into the store: each is checked and compiled first, a bad one is refused and its version before stays.
local certs = require "tidegate.certs"
local challenges = require "tidegate.challenges"
local policies = require "tidegate.policy"
local pool = require "tidegate.pool"
local purge = require "tidegate.purge"
local schema = require "tidegate.schema"
local store = require "tidegate.store"

local _M = {}

--- So long a batch keeps its worker from answering requests at a time.
local SLICE_SECONDS = 0.004

local ORDER = { "settings", "cert", "challenge", "site", "purge" }

local function put_settings(_, body, events)
    if body == nil then return true end
    events[#events + 1] = "*"
    return store.put_settings(body)
end

local function put_cert(key, body, _, options)
    if body == nil then
        certs.remove(key)
        return true
    end
    return certs.put(key, body, options.from_disk)
end

local function put_challenge(key, body)
    if body == nil then
        challenges.remove(key)
        return true
    end
    if key ~= body.host .. " " .. body.token then return nil, "schema", "key is not host and token" end
    return challenges.put(key, body)
end

local function put_site(key, body, events, options)
    if body == nil then
        store.remove_site(key)
        events[#events + 1] = "s " .. key
        return true
    end
    if key ~= ("%d"):format(body.id) then return nil, "schema", "key is not the id" end
    local fine, err = pcall(policies.compile, body.cache)
    if not fine then return nil, "compile", err end
    if not options.from_disk and pool.all_refused(body) then
        return nil, "private_origin", "every address of the origin is private and not allowed"
    end
    events[#events + 1] = "s " .. key
    return store.put_site(key, body)
end

local function put_purge(_, body, events)
    -- Forgetting a purge would bring copies back, so its removal means nothing here.
    if body == nil then return true end
    events[#events + 1] = ("p %d"):format(body.siteId)
    return purge.apply(body)
end

local PUT = { settings = put_settings, cert = put_cert, challenge = put_challenge, site = put_site, purge = put_purge }

--- Takes one item. nil, reason, detail when it is refused. Changes to announce are appended to `events`.
function _M.item(item, events, options)
    local kind, key, body = item.kind, item.key, item.body
    if type(key) ~= "string" or not PUT[kind] then return nil, "schema", "kind, key" end
    if body == ngx.null then body = nil end
    if body ~= nil then
        local wrong = schema[kind](body)
        if wrong then return nil, "schema", wrong end
    end
    return PUT[kind](key, body, events, options)
end

local function by_kind(items)
    local lists = { settings = {}, cert = {}, challenge = {}, site = {}, purge = {} }
    for _, item in ipairs(items) do
        local list = type(item) == "table" and lists[item.kind] or lists.settings
        list[#list + 1] = type(item) == "table" and item or {}
    end
    return lists
end

--- Removals first, then hosts that sites give up, so that a host may move from one site to another within a batch.
local function make_room(list)
    for _, item in ipairs(list) do
        if item.body ~= ngx.null and item.body ~= nil and not schema.site(item.body) then
            local keep = {}
            for _, host in ipairs(item.body.hosts) do keep[host] = true end
            store.release_hosts(item.key, store.site(item.key), keep)
        end
    end
end

local function remove_others(lists, events)
    local named = {}
    for _, kind in ipairs { "site", "cert", "challenge" } do
        for _, item in ipairs(lists[kind]) do named[kind .. " " .. tostring(item.key)] = true end
    end
    for _, id in ipairs(store.site_ids()) do
        if not named["site " .. id] then
            store.remove_site(id)
            events[#events + 1] = "s " .. id
        end
    end
    for _, key in ipairs(certs.keys()) do
        if not named["cert " .. key] then certs.remove(key) end
    end
    for _, key in ipairs(challenges.keys()) do
        if not named["challenge " .. key] then challenges.remove(key) end
    end
end

--- Lets the worker answer what has come in meanwhile, if the slice that began at `since` is over. Gives when the present one began.
local function breathe(since)
    ngx.update_time()
    if ngx.now() - since < SLICE_SECONDS then return since end
    ngx.sleep(0)
    ngx.update_time()
    return ngx.now()
end

--- Takes a batch (engineBatch). Gives the list of refusals. Requests are answered in between: what they see of a site that this worker
-- has compiled is the version before, until all is announced.
function _M.batch(batch, options)
    local lists, events, refused = by_kind(batch.items), {}, {}
    if batch.full then remove_others(lists, events) end
    table.sort(lists.site, function(a, b) return (a.body == ngx.null and 0 or 1) < (b.body == ngx.null and 0 or 1) end)
    make_room(lists.site)
    local since = ngx.now()
    for _, kind in ipairs(ORDER) do
        for _, item in ipairs(lists[kind]) do
            since = breathe(since)
            local ok, reason, detail = _M.item(item, events, options)
            if not ok then
                refused[#refused + 1] = { kind = tostring(item.kind), key = tostring(item.key), reason = reason, detail = tostring(detail) }
                -- It may have given hosts free for another site; those that are still free are its own again.
                if kind == "site" then store.reclaim_hosts(item.key) end
            end
        end
    end
    store.set_revision(batch.revision)
    store.announce(events)
    return refused
end

return _M
