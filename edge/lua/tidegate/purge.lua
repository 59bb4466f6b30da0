--- Purge by generation: the number is part of the cache key, so raising it makes the copies before unreachable at once, every
-- variant of them included; the disk is cleaned later by the cache's own `inactive`.
--
-- Keys in tg_purges: "<id>" the site's generation; "<id> f" flags, "<id> n" number of entries; entries
-- "<id> <site generation> <kind> <host/path>" with kind u (URL), q (URL without its query, for sites that ignore queries),
-- d (directory), l (raised on this node after an unsafe method). A new site generation retires all entries at once.
local bit = require "bit"

local _M = {}
local purges = ngx.shared.tg_purges

local URL, DIR, LOCAL = 1, 2, 4
_M.URL, _M.DIR, _M.LOCAL = URL, DIR, LOCAL

--- Entries of one site; beyond, they are folded into a purge of the whole site (too much is purged, never too little).
local ENTRIES_MOST = 2000
--- A purged copy is never asked for again, so the cache drops it after its 30 days of `inactive`; the entry may go then too.
local ENTRY_SECONDS = 31 * 86400

local function unescape(path)
    return (ngx.unescape_uri((path:gsub("%+", "%%2B"))):gsub("//+", "/"))
end

--- "Host:port/pa%20th?query" -> "host", "/pa th", "?query" as they are compared with requests.
function _M.split(value)
    local host, path = value:match("^([^/]*)(/.*)$")
    if not host then return nil end
    local mark = path:find("?", 1, true)
    local query = mark and path:sub(mark) or ""
    if query == "?" then query = "" end
    return host:lower():gsub(":%d+$", ""), unescape(mark and path:sub(1, mark - 1) or path), query
end

--- Generation and flags of a site (id is text).
function _M.state(id)
    return purges:get(id) or 0, purges:get(id .. " f") or 0
end

local function entry(id, site_generation, name) return ("%s %d %s"):format(id, site_generation, name) end

local function raise_site(id, generation)
    local ok, err = purges:safe_set(id, generation)
    if not ok then return nil, "full", err end
    purges:delete(id .. " f")
    purges:delete(id .. " n")
    return true
end

local function add_entry(id, site_generation, flag, names, generation)
    local count = purges:incr(id .. " n", #names, 0) or ENTRIES_MOST + 1
    local ok = count <= ENTRIES_MOST
    for i = 1, #names do
        local key = entry(id, site_generation, names[i])
        if ok and (purges:get(key) or -1) < generation then ok = purges:safe_set(key, generation, ENTRY_SECONDS) end
    end
    if ok then
        ok = purges:safe_set(id .. " f", bit.bor(purges:get(id .. " f") or 0, flag))
    end
    return ok
end

--- Takes a purge. Older generations than the one in force change nothing.
function _M.apply(body)
    local id = string.format("%d", body.siteId)
    local site_generation = purges:get(id) or 0
    if body.generation <= site_generation then return true end
    if body.kind == "site" then return raise_site(id, body.generation) end
    local host, path, query = _M.split(body.value)
    if not host then return nil, "schema", "value: host and path" end
    local names
    if body.kind == "dir" then
        names = { "d " .. host .. (path:sub(-1) == "/" and path or path .. "/") }
    else
        names = { "u " .. host .. path .. query }
        if query ~= "" then names[2] = "q " .. host .. path end
    end
    if add_entry(id, site_generation, body.kind == "dir" and DIR or URL, names, body.generation) then return true end
    return raise_site(id, body.generation)
end

--- After a successful unsafe method: copies of this URL made before are not served again on this node.
function _M.invalidate(id, site_generation, name, stamp)
    if not add_entry(id, site_generation, LOCAL, { "l " .. name }, stamp) then
        purges:set(entry(id, site_generation, "l *"), stamp, ENTRY_SECONDS)
        purges:set(id .. " f", bit.bor(purges:get(id .. " f") or 0, LOCAL))
    end
end

local function highest_dir(prefix, name, highest)
    local slash = name:find("/", 1, true)
    while slash do
        local generation = purges:get(prefix .. "d " .. name:sub(1, slash))
        if generation and generation > highest then highest = generation end
        slash = name:find("/", slash + 1, true)
    end
    return highest
end

--- The generation part of the key (text) for one URL of a site that has entries. `name`: host and decoded path; `query` with its "?".
function _M.generation(id, site_generation, flags, name, query, ignore_query)
    local prefix = entry(id, site_generation, "")
    local highest = site_generation
    if bit.band(flags, URL) ~= 0 then
        local own = purges:get(prefix .. "u " .. name .. (ignore_query and "" or query))
        if own and own > highest then highest = own end
        local any = ignore_query and purges:get(prefix .. "q " .. name)
        if any and any > highest then highest = any end
    end
    if bit.band(flags, DIR) ~= 0 then highest = highest_dir(prefix, name, highest) end
    if bit.band(flags, LOCAL) == 0 then return ("%d"):format(highest) end
    local stamp = purges:get(prefix .. "l " .. name .. (ignore_query and "" or query)) or purges:get(prefix .. "l *")
    return stamp and ("%d.%d"):format(highest, stamp) or ("%d"):format(highest)
end

return _M
