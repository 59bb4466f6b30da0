--- The hop behind the cache: chooses the origin, tries others when one fails, and says in one Cache-Control what to keep.
local balancer = require "ngx.balancer"
local control = require "tidegate.control"
local pages = require "tidegate.pages"
local policies = require "tidegate.policy"
local pool = require "tidegate.pool"
local sites = require "tidegate.sites"
local store = require "tidegate.store"

local _M = {}

--- So many hops of the platform in CDN-Loop (RFC 8586) are no chain of caches but a circle.
local HOPS_MOST = 5
local own_hop

--- `id`: this node's own word in CDN-Loop.
function _M.start(id) own_hop = "tidegate-" .. id end

local COMPRESSED = {
    ["application/javascript"] = true, ["application/json"] = true, ["application/ld+json"] = true,
    ["application/manifest+json"] = true, ["application/rss+xml"] = true, ["application/wasm"] = true,
    ["application/xml"] = true, ["font/ttf"] = true, ["image/svg+xml"] = true, ["text/css"] = true,
    ["text/html"] = true, ["text/javascript"] = true, ["text/plain"] = true, ["text/xml"] = true,
}

local function circles(header)
    if not header then return false end
    local _, count = header:gsub("tidegate%-", "")
    return count >= HOPS_MOST or header:find(own_hop, 1, true) ~= nil
end

local function scheme_of(origin)
    if origin.protocol ~= "follow" then return origin.protocol end
    return ngx.var.http_x_forwarded_proto == "https" and "https" or "http"
end

--- First step in `location /`: plain http goes on here, https changes to the location with the right verification.
function _M.route()
    local site = sites.find(ngx.var.host)
    local body = site and store.site(site.id)
    if not body then return pages.answer_inside(404, "no_site") end
    if circles(ngx.var.http_cdn_loop) then return pages.answer_inside(508, "loop") end
    if scheme_of(body.origin) == "https" then
        return ngx.exec(body.origin.verifyTls and "@tls_verified" or "@tls")
    end
    return _M.plan(site, body)
end

--- Makes the list of origins for this request and the names to send them.
function _M.plan(site, body)
    site = site or sites.find(ngx.var.host)
    body = body or (site and store.site(site.id))
    if not body then return pages.answer_inside(404, "no_site") end
    local origin = body.origin
    local lines, refused = pool.candidates(body, scheme_of(origin))
    local cookie = origin.balance == "cookie" and ngx.var.cookie_tidegate_origin or nil
    local order = pool.order(lines, origin.balance, ngx.var.http_x_real_ip or "", cookie)
    if #order == 0 then
        if refused > 0 then return pages.answer_inside(403, "origin_refused") end
        return pages.answer_inside(502, "origin_unresolved")
    end
    local host = origin.hostHeader ~= "" and origin.hostHeader or ngx.var.host
    local sni = origin.sni ~= "" and origin.sni or host:gsub(":%d+$", "")
    local hops = ngx.var.http_cdn_loop
    ngx.var.tg_host, ngx.var.tg_sni, ngx.var.tg_loop = host, sni, hops and hops .. ", " .. own_hop or own_hop
    ngx.ctx.plan = {
        site = site,
        order = order,
        at = 0,
        retries = origin.retries == 0 and #order - 1 or math.min(origin.retries, #order - 1),
        connect = origin.connectTimeout,
        read = origin.readTimeout,
        cookie = cookie,
        sticky = origin.balance == "cookie",
    }
end

--- The last but `back` of a list of nginx's upstream variables ("0.001, -, 0.002").
local function from_end(list, back)
    local items = {}
    for item in (list or ""):gmatch("[^,%s]+") do items[#items + 1] = item end
    return items[#items - back]
end

--- Remembers that the origin before the present one failed; an answer, be it an error, is none.
local function remember_last(plan, code)
    if from_end(ngx.var.upstream_header_time, 1) ~= "-" then return end
    local elapsed = ngx.now() - plan.since
    pool.failed(plan.order[plan.at].name, code ~= 504 or elapsed <= plan.connect + 0.5)
end

--- balancer_by_lua: the next origin of the plan.
function _M.balance()
    local plan = ngx.ctx.plan
    if plan.at == 0 then
        if plan.retries > 0 then balancer.set_more_tries(plan.retries) end
    else
        local _, code = balancer.get_last_failure()
        remember_last(plan, code)
    end
    plan.at = math.min(plan.at + 1, #plan.order)
    plan.since = ngx.now()
    local candidate = plan.order[plan.at]
    local ok, err = balancer.set_current_peer(candidate.address, candidate.port)
    if not ok then
        ngx.log(ngx.ERR, "origin ", candidate.name, ": ", err)
        return ngx.exit(502)
    end
    balancer.set_timeouts(plan.connect, plan.read, plan.read)
end

local function text_of(header)
    if type(header) == "table" then return table.concat(header, ", ") end
    return header
end

local function add_vary(headers)
    local media = text_of(headers["Content-Type"])
    local rest, had = control.without_accept_encoding(text_of(headers["Vary"]))
    if had then headers["Vary"] = rest end
    if had or (media and COMPRESSED[media:match("^[^;%s]*"):lower()]) then headers["Tg-Vary"] = "Accept-Encoding" end
end

local function has_body()
    local length = ngx.var.http_content_length
    return ngx.var.http_transfer_encoding ~= nil or (length ~= nil and length ~= "0")
end

local function keep_for(site, headers, status, origin)
    local found = {
        cache_control = text_of(headers["Cache-Control"]),
        cdn_cache_control = text_of(headers["CDN-Cache-Control"]),
        expires = text_of(headers["Expires"]),
        date = text_of(headers["Date"]),
        age = text_of(headers["Age"]),
        vary = text_of(headers["Vary"]),
        set_cookie = headers["Set-Cookie"] ~= nil,
    }
    local now = ngx.time()
    local text, ttl = control.decide(site.policy, policies.ttl(site.policy, ngx.var.uri), status, found, now)
    headers["Tg-Cache-Control"] = found.cache_control
    headers["Tg-From"] = ("%d %s"):format(now - (tonumber(found.age) or 0), origin)
    if has_body() then
        -- The body is not in the cache key: the answer is this visitor's, and says nothing of the address.
        headers["Cache-Control"] = "no-store"
        return
    end
    headers["Cache-Control"] = text
    if ttl == 0 then headers["Tg-Pass"] = status >= 500 and "5" or "30" end
end

--- header_filter_by_lua of the inner server.
function _M.decide()
    local headers, status = ngx.header, ngx.status
    local plan = ngx.ctx.plan
    local site = plan and plan.site or sites.find(ngx.var.host)
    -- The outer hop holds a copy that has run out: it serves that instead, but only when this hop breaks off.
    if status >= 500 and ngx.var.http_tg_cache == "EXPIRED" and site and site.policy.sie > 0 then
        return ngx.exit(ngx.ERROR)
    end
    if ngx.ctx.why then return end
    if plan and plan.sticky then
        local cookie = pool.cookie_of(plan.order[plan.at])
        headers["Tg-Cookie"] = cookie ~= plan.cookie and cookie or nil
    end
    if not site then return end
    keep_for(site, headers, status, plan and plan.order[plan.at].name or "")
    add_vary(headers)
    -- The outer hop writes its own; copies without them are read faster.
    headers["Date"], headers["Server"] = nil, nil
end

--- log_by_lua: the balancer is not asked again after the last origin failed, so that failure is remembered here.
function _M.remember_failure()
    local status = ngx.status
    if (status ~= 502 and status ~= 504) or not ngx.var.upstream_addr then return end
    if from_end(ngx.var.upstream_header_time, 0) ~= "-" then return end
    local name = from_end(ngx.var.upstream_addr, 0)
    if name then pool.failed(name, from_end(ngx.var.upstream_connect_time, 0) == "-") end
end

--- Page for an origin that gave no answer (named location of error_page 502 504).
function _M.origin_failed()
    local late = ngx.status == 504
    return pages.answer_inside(late and 504 or 502, late and "origin_timeout" or "origin_failed")
end

return _M
