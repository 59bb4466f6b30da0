--- The agent's door: batches of changes, the state of the engine. On a unix socket that only the agent's user can reach.
local apply = require "tidegate.apply"
local certs = require "tidegate.certs"
local cjson = require "cjson.safe"
local store = require "tidegate.store"

local _M = {}

local meta = ngx.shared.tg_meta
local LOCK_SECONDS = 60
local DICTS = { "tg_certs", "tg_challenges", "tg_dead", "tg_hosts", "tg_journal", "tg_meta", "tg_pass", "tg_purges", "tg_sites" }

local workers, started_at

function _M.start(settings) workers, started_at = settings.workers, settings.started_at end

--- A list as JSON; the encoder would write an empty one as an object.
local function list(items) return #items == 0 and "[]" or cjson.encode(items) end

local function reply(status, text)
    ngx.status = status
    ngx.header["Content-Type"] = "application/json"
    ngx.print(text)
    return ngx.exit(ngx.HTTP_OK)
end

local function fail(status, err)
    return reply(status, ('{"ok":false,"revision":%d,"error":%s,"refused":[],"ms":0}'):format(store.revision(), cjson.encode(err)))
end

local function read_batch()
    ngx.req.read_body()
    local text = ngx.req.get_body_data()
    local batch = text and cjson.decode(text)
    if type(batch) ~= "table" or type(batch.revision) ~= "number" or type(batch.items) ~= "table" then return nil end
    return batch
end

--- POST /apply
function _M.apply()
    if ngx.req.get_method() ~= "POST" then return fail(405, "method") end
    local batch = read_batch()
    if not batch then return fail(400, "not a batch") end
    if not meta:add("lock", ngx.worker.pid(), LOCK_SECONDS) then return fail(409, "busy") end
    ngx.update_time()
    local begun = ngx.now()
    local ok, refused = pcall(apply.batch, batch, {})
    meta:delete("lock")
    if not ok then
        ngx.log(ngx.ERR, "apply: ", refused)
        return fail(500, tostring(refused))
    end
    ngx.update_time()
    return reply(200, ('{"ok":true,"revision":%d,"error":"","refused":%s,"ms":%d}'):format(store.revision(), list(refused),
        (ngx.now() - begun) * 1000))
end

--- GET /status
function _M.status()
    local dicts = {}
    for _, name in ipairs(DICTS) do
        dicts[name] = { capacity = ngx.shared[name]:capacity(), free = ngx.shared[name]:free_space() }
    end
    return reply(200, cjson.encode {
        revision = store.revision(),
        sites = #store.site_ids(),
        certs = #certs.keys(),
        workers = workers,
        dicts = dicts,
        luaHeap = math.floor(collectgarbage("count") * 1024),
        startedAt = started_at,
    })
end

--- What nobody reads out of a node, whoever asks: private keys.
local SECRET = { tg_certs = function(key) return key:sub(1, 2) == "k " end }
local ENTRIES_MOST, VALUE_MOST = 200, 65536

local function is_secret(name, key, value)
    return SECRET[name] ~= nil and SECRET[name](key) or (type(value) == "string" and value:find("PRIVATE KEY", 1, true) ~= nil)
end

--- One entry for `dict`; nil when it has run out meanwhile. Keys and texts travel in base64: they may be any bytes.
local function entry_of(name, dict, key)
    local value = dict:get(key)
    if value == nil then return nil end
    local text = tostring(value)
    local secret = is_secret(name, key, value)
    return {
        key = ngx.encode_base64(key),
        type = type(value),
        value = secret and "" or ngx.encode_base64(text:sub(1, VALUE_MOST)),
        size = #text,
        ttl = dict:ttl(key) or 0,
        secret = secret,
    }
end

--- Keys that begin with `prefix` and come after `after`, in order.
local function keys_of(dict, prefix, after)
    local keys = {}
    for _, key in ipairs(dict:get_keys(0)) do
        if key:sub(1, #prefix) == prefix and (after == nil or key > after) then keys[#keys + 1] = key end
    end
    table.sort(keys)
    return keys
end

local function text_arg(args, name)
    local text = type(args[name]) == "string" and args[name] or ""
    return ngx.decode_base64(text) or ""
end

--- GET /dict?name=&prefix=&after=&limit=, or &key= for one; texts in base64. Reads only.
function _M.dict()
    local args = ngx.req.get_uri_args(10)
    local name = type(args.name) == "string" and args.name or ""
    local dict = ngx.shared[name]
    if not dict then return reply(404, '{"error":"no such dictionary"}') end
    local keys, entries, next_key = nil, {}, ""
    if args.key then
        keys = { text_arg(args, "key") }
    else
        keys = keys_of(dict, text_arg(args, "prefix"), args.after and text_arg(args, "after"))
    end
    local limit = math.min(math.max(tonumber(args.limit) or ENTRIES_MOST, 1), ENTRIES_MOST)
    for i = 1, #keys do
        if #entries == limit then
            next_key = entries[limit].key
            break
        end
        entries[#entries + 1] = entry_of(name, dict, keys[i])
    end
    return reply(200, ('{"entries":%s,"next":%s,"capacity":%d,"free":%d}'):format(list(entries), cjson.encode(next_key),
        dict:capacity(), dict:free_space()))
end

return _M
