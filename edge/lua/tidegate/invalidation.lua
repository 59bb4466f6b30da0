--- Copies of a URL are void after a successful unsafe method on it (RFC 9111, 4.4). Each one is also written to a file beside
-- the disk cache, since the copies outlive a restart of nginx and would be served again.
local policies = require "tidegate.policy"
local purge = require "tidegate.purge"
local sites = require "tidegate.sites"
local store = require "tidegate.store"

local _M = {}

local SAFE = { GET = true, HEAD = true, OPTIONS = true, TRACE = true }
local path_of_file

function _M.start(cache_dir) path_of_file = cache_dir .. "/invalidated.log" end

local function append(line)
    local file, err = io.open(path_of_file, "a")
    if not file then
        ngx.log(ngx.ERR, "invalidation not kept: ", err)
        return
    end
    file:write(line)
    file:close()
end

--- Called with the answer's header of a request that passed the cache.
function _M.after(status)
    local var = ngx.var
    if SAFE[var.request_method] or status < 200 or status >= 400 then return end
    local target = sites.target(var.tg_target)
    local site = target.site
    if not site or not policies.cacheable(site.policy, var.uri) then return end
    local args = not site.policy.ignore_query and var.args or nil
    local name = target.host .. var.uri .. (args and args ~= "" and "?" .. args or "")
    local stamp = math.floor(ngx.now() * 1000)
    purge.invalidate(site.id, site.generation, name, stamp)
    store.announce { "p " .. site.id }
    append(("%s %d %d %s\n"):format(site.id, site.generation, stamp, (name:gsub("%c", ""))))
end

local function read_all(path)
    local file = io.open(path)
    if not file then return {}, 0 end
    local newest, lines = {}, 0
    for line in file:lines() do
        local id, generation, stamp, name = line:match("^(%d+) (%d+) (%d+) (.+)$")
        if id then newest[id .. " " .. generation .. " " .. name] = { id, tonumber(generation), name, tonumber(stamp) } end
        lines = lines + 1
    end
    file:close()
    return newest, lines
end

--- Takes up what earlier runs wrote; called once by the master.
function _M.load()
    for _, item in pairs((read_all(path_of_file))) do
        local id, generation, name, stamp = unpack(item)
        if purge.state(id) == generation then purge.invalidate(id, generation, name, stamp) end
    end
end

--- Rewrites the file with the newest line of each URL once most of its lines are old; called at start by one worker.
function _M.compact()
    local newest, lines = read_all(path_of_file)
    local kept = {}
    for _, item in pairs(newest) do
        if purge.state(item[1]) == item[2] then kept[#kept + 1] = ("%s %d %d %s\n"):format(item[1], item[2], item[4], item[3]) end
    end
    if lines < 1000 or #kept > lines / 2 then return end
    local file = io.open(path_of_file .. ".new", "w")
    if not file then return end
    file:write(table.concat(kept))
    file:close()
    os.rename(path_of_file .. ".new", path_of_file)
end

return _M
