--- Start: the master reads the state from disk before it forks, so a restart needs neither agent nor control plane.
require "resty.core"
local access = require "tidegate.access"
local admin = require "tidegate.admin"
local apply = require "tidegate.apply"
local certs = require "tidegate.certs"
local cjson = require "cjson.safe"
local ffi = require "ffi"
local inner = require "tidegate.inner"
local invalidation = require "tidegate.invalidation"
local log = require "tidegate.log"
local request_id = require "tidegate.request_id"
local respond = require "tidegate.respond"
local shared_number = require "tidegate.shared_number"
local shipper = require "tidegate.shipper"
local sites = require "tidegate.sites"
local store = require "tidegate.store"

ffi.cdef [[ int prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5); ]]
local PR_SET_PDEATHSIG, SIGQUIT = 1, 3

local _M = {}
local settings, epoch

--- What nginx.conf calls, by short names.
local ENTRY_POINTS = {
    access_http = function() return access.run("http") end,
    access_https = function() return access.run("https") end,
    admin_apply = admin.apply,
    admin_dict = admin.dict,
    admin_status = admin.status,
    balance = inner.balance,
    certificate = certs.serve,
    decide = inner.decide,
    failed = respond.failed,
    log = log.run,
    origin_failed = inner.origin_failed,
    plan = function() return inner.plan() end,
    remember_failure = inner.remember_failure,
    respond = respond.run,
    respond_passed = respond.passed,
    route = inner.route,
}

local function read_file(path)
    local file, err = io.open(path, "rb")
    if not file then return nil, err end
    local text = file:read("*a")
    file:close()
    return text
end

--- Takes the items of one state file; lines that do not fit are named in the log and skipped. false when there is no file.
local function load_items(name, events)
    local path = settings.state_dir .. "/" .. name
    local file = io.open(path, "rb")
    if not file then return false end
    local number = 0
    for line in file:lines() do
        number = number + 1
        local item = cjson.decode(line)
        local ok, reason, detail
        if type(item) == "table" then ok, reason, detail = apply.item(item, events, { from_disk = true }) end
        if not ok then ngx.log(ngx.ERR, path, ":", number, " skipped: ", reason or "json", " ", detail or "") end
    end
    file:close()
    return true
end

--- The number that all cache keys begin with. It changes when the purges of the copies on disk are not known any more: without
-- a journal of purges, the time of this start.
local function disk_epoch(has_journal)
    local path = settings.cache_dir .. "/epoch"
    local known = tonumber((read_file(path)))
    if has_journal then return known or 0 end
    known = ngx.time()
    local file = io.open(path, "w")
    if file then
        file:write(("%d"):format(known))
        file:close()
    end
    return known
end

local function load_state()
    local meta = cjson.decode(read_file(settings.state_dir .. "/meta.json") or "")
    if type(meta) == "table" then
        if type(meta.settings) == "table" then store.put_settings(meta.settings) end
        store.set_revision(tonumber(meta.revision) or 0)
    end
    load_items("certs.jsonl", {})
    load_items("challenges.jsonl", {})
    load_items("sites.jsonl", {})
    local has_journal = load_items("purges.jsonl", {})
    ngx.shared.tg_meta:set("epoch", disk_epoch(has_journal))
    ngx.shared.tg_meta:set("loaded", ngx.time())
    invalidation.load()
end

--- init_by_lua. On a reload the shared memory is as it was, and newer than the disk could be.
function _M.master(given)
    settings = given
    local secret = read_file(settings.probe_secret_file) or error("no probe secret: " .. settings.probe_secret_file)
    settings.probe_secret = secret:match("^%s*(.-)%s*$")
    if settings.probe_secret == "" then error("empty probe secret: " .. settings.probe_secret_file) end
    store.attach(shared_number.map())
    invalidation.start(settings.cache_dir)
    access.start(settings)
    inner.start(ngx.md5(settings.probe_secret .. " loop"):sub(1, 8))
    if not ngx.shared.tg_meta:get("loaded") then load_state() end
    epoch = ("%d"):format(ngx.shared.tg_meta:get("epoch"))
    settings.started_at = ngx.shared.tg_meta:get("loaded")
    admin.start(settings)
    tidegate = ENTRY_POINTS -- luacheck: ignore
    collectgarbage()
    collectgarbage()
end

--- init_worker_by_lua.
function _M.worker()
    -- A worker must not outlive its master: it would hold the ports, and nobody would reload or stop it.
    ffi.C.prctl(PR_SET_PDEATHSIG, SIGQUIT, 0, 0, 0)
    request_id.start()
    sites.start(epoch)
    shipper.start(settings.log_socket)
    math.randomseed(ngx.worker.pid() + ngx.now() * 1000)
    if ngx.worker.id() == 0 then invalidation.compact() end
end

return _M
