--- Cache policy of a site, compiled: what is never cached (asked at each request) and for how long the rest is (asked at a miss).
-- Equal policies of different sites are one table, so that thousands of sites stay in the processor's caches.
local _M = {}

local interned = setmetatable({}, { __mode = "v" })

local function unescape(path) return (ngx.unescape_uri((path:gsub("%+", "%%2B")))) end

local function compile_rule(rule)
    local compiled = { type = rule.type, ttl = rule.ttl }
    if rule.type == "ext" then
        compiled.exts = {}
        for ext in rule.match:lower():gmatch("[^|,%s]+") do compiled.exts[ext:gsub("^%.", "")] = true end
    elseif rule.type ~= "all" then
        compiled.match = unescape(rule.match)
    end
    return compiled
end

local function compile_rules(rules)
    local compiled = {}
    for i = 1, #rules do compiled[i] = compile_rule(rules[i]) end
    return compiled
end

--- Text that is equal for equal `cache` bodies only.
function _M.fingerprint(cache)
    local parts = { tostring(cache.enabled), tostring(cache.ignoreQuery), cache.staleWhileRevalidate, cache.staleIfError }
    for _, list in ipairs { cache.rules, cache.noCache } do
        parts[#parts + 1] = #list
        for i = 1, #list do
            parts[#parts + 1] = ("%s %d %d %s"):format(list[i].type, list[i].ttl, #list[i].match, list[i].match)
        end
    end
    return table.concat(parts, "\n")
end

--- The compiled policy with a key, made from the body that `load` gives when no site of this worker has it yet.
function _M.get(key, load)
    local policy = interned[key]
    if not policy then
        policy = _M.compile(load(key))
        interned[key] = policy
    end
    return policy
end

--- Compiles a `cache` body.
function _M.compile(cache)
    local policy = {
        enabled = cache.enabled,
        ignore_query = cache.ignoreQuery,
        swr = cache.staleWhileRevalidate,
        sie = cache.staleIfError,
        rules = compile_rules(cache.rules),
        no_cache = compile_rules(cache.noCache),
    }
    for _, rule in ipairs(policy.no_cache) do
        if rule.type == "all" then policy.enabled = false end
    end
    return policy
end

local function extension(path)
    local ext = path:match("%.([^./]+)$")
    return ext and ext:lower() or ""
end

--- The first rule of the list that matches a decoded path, or nil.
local function first(rules, path)
    local ext
    for i = 1, #rules do
        local rule = rules[i]
        local kind = rule.type
        if kind == "all" then return rule end
        if kind == "exact" then
            if path == rule.match then return rule end
        elseif kind == "prefix" then
            if path:sub(1, #rule.match) == rule.match then return rule end
        else
            ext = ext or extension(path)
            if rule.exts[ext] then return rule end
        end
    end
    return nil
end

--- Whether a request for this decoded path may come out of the cache.
function _M.cacheable(policy, path)
    return policy.enabled and (#policy.no_cache == 0 or first(policy.no_cache, path) == nil)
end

--- Seconds by the site's own rules, or nil when the origin decides.
function _M.ttl(policy, path)
    local rule = first(policy.rules, path)
    return rule and rule.ttl
end

return _M
