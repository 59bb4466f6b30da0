--- First step of every request: which site, and whether it is answered here, from the cache or by the origin directly.
local bit = require "bit"
local challenges = require "tidegate.challenges"
local pages = require "tidegate.pages"
local plain = require "tidegate.plain"
local policies = require "tidegate.policy"
local purge = require "tidegate.purge"
local request_id = require "tidegate.request_id"
local sites = require "tidegate.sites"
local store = require "tidegate.store"

local _M = {}

local uncacheable = ngx.shared.tg_pass
local config

--- `settings`: https_port, probe_secret.
function _M.start(settings) config = settings end

local ACME = "/.well-known/acme-challenge/"
local PROBE_HOST = "tidegate-probe.internal"

--- How many different combinations of request headers are remembered.
local CLASSES_MOST = 2000
local classes, class_count = {}, 0

local function classify(text)
    local var = ngx.var
    local accept = var.http_accept
    local class = {
        suffix = var.tg_gzip == "gzip" and "\ngzip" or "",
        -- An answer to a request with credentials is the sender's own (RFC 9111, 3.5).
        pass = var.http_authorization ~= nil or var.tg_upgrade ~= "",
        stream = var.tg_upgrade ~= "" or (accept ~= nil and accept:find("text/event-stream", 1, true) ~= nil),
    }
    class.pass = class.pass or class.stream
    if class_count >= CLASSES_MOST then classes, class_count = {}, 0 end
    classes[text] = class
    class_count = class_count + 1
    return class
end

local function same(a, b)
    if #a ~= #b then return false end
    local difference = 0
    for i = 1, #a do difference = bit.bor(difference, bit.bxor(a:byte(i), b:byte(i))) end
    return difference == 0
end

local function probe()
    local peer = ngx.var.remote_addr
    local loopback = peer == "::1" or peer:sub(1, 4) == "127."
    if not loopback or not same(ngx.var.http_x_tidegate_probe or "", config.probe_secret) then
        return pages.answer(404, "no_site")
    end
    ngx.header["Content-Type"] = "application/json"
    ngx.var.tg_why = "probe"
    ngx.print('{"revision":', ("%d"):format(store.revision()), "}")
    return ngx.exit(200)
end

--- Answers a challenge of a certificate authority: before the site's state, rules and redirects, which could all keep it from us.
local function answer_challenge(answer)
    ngx.header["Content-Type"] = "text/plain"
    ngx.header["Cache-Control"] = "no-store"
    ngx.var.tg_why = "challenge"
    ngx.print(answer)
    return ngx.exit(200)
end

local function to_https(target)
    local port = config.https_port == 443 and "" or ":" .. config.https_port
    ngx.header["Location"] = "https://" .. target.host .. port .. ngx.var.request_uri
    ngx.header["Cache-Control"] = "no-store"
    ngx.var.tg_why = "https_redirect"
    return ngx.exit(target.site.redirect)
end

local function pass(class)
    ngx.var.tg_pass = "1"
    return ngx.exec(class.stream and "@stream" or "@pass")
end

local function path_and_query()
    local uri = ngx.var.request_uri
    local mark = uri:find("?", 1, true)
    return mark and uri:sub(1, mark - 1) or uri, mark and uri:sub(mark) or ""
end

--- The cache key of a request of a site that uses more than a plain site does.
local function key_of(target, class)
    local site = target.site
    local path, query = path_and_query()
    local kept = site.policy.ignore_query and "" or query
    if site.flags == 0 then return target.prefix .. path .. kept .. class.suffix end
    local name = target.host .. ngx.var.uri
    local generation = purge.generation(site.id, site.generation, site.flags, name, query == "?" and "" or query,
        site.policy.ignore_query)
    return sites.epoch() .. "/" .. generation .. target.after .. path .. kept .. class.suffix
end

local function careful(target, class)
    local path = ngx.var.uri
    local is_acme = path:sub(1, #ACME) == ACME
    local answer = is_acme and challenges.find(target.host, path:sub(#ACME + 1))
    if answer then return answer_challenge(answer) end
    if target.host == PROBE_HOST then return probe() end
    local site = target.site
    if not site then return pages.answer(404, "no_site") end
    if not site.enabled then return pages.answer(503, "disabled") end
    if site.redirect and target.scheme == "http" then return to_https(target) end
    if site.hsts and target.scheme == "https" then ngx.var.tg_hsts = site.hsts end
    if target.method ~= "GET" and target.method ~= "HEAD" then return pass(class) end
    -- A token that we do not know is a question to the origin, whose answer is good for this one question.
    if is_acme or class.pass or not policies.cacheable(site.policy, path) then return pass(class) end
    local key = key_of(target, class)
    if site.has_uncacheable and uncacheable:get(key) then return pass(class) end
    ngx.var.tg_key = key
end

--- access_by_lua of the outer servers. `scheme`: http or https.
function _M.run(scheme)
    request_id.set()
    local var = ngx.var
    if ngx.req.get_method() == "GET" then
        local record = sites.plain(scheme, var.host)
        if record and plain.begin(record) then return end
    end
    local text = var.tg_class
    return careful(sites.target(var.tg_target), classes[text] or classify(text))
end

return _M
