--- What the outer hop adds to an answer on its way to the client: age, and what it learns from it.
local ffi = require "ffi"
local invalidation = require "tidegate.invalidation"
local pages = require "tidegate.pages"
local plain = require "tidegate.plain"
local sites = require "tidegate.sites"
local store = require "tidegate.store"
local variable = require "tidegate.variable"
local whole = require "tidegate.whole"

ffi.cdef [[ unsigned long strtoul(const char *text, char **rest, int base); ]]

local _M = {}

local C = ffi.C
local uncacheable = ngx.shared.tg_pass
local pool_cookie = "tidegate_origin=%s; Path=/; HttpOnly"

--- Seconds for which a site counts as having uncacheable answers after it had one.
local SITE_SECONDS = 600

local function learn(key, seconds)
    if key == "" then return end
    uncacheable:set(key, 1, seconds)
    local site = sites.target(ngx.var.tg_target).site
    if not site or site.has_uncacheable then return end
    uncacheable:set("s " .. site.id, 1, SITE_SECONDS)
    store.announce { "h " .. site.id }
end

local function set_cookie()
    local cookie = ngx.var.upstream_http_tg_cookie
    if cookie then
        local headers = ngx.header["Set-Cookie"]
        local ours = pool_cookie:format(cookie)
        if type(headers) == "table" then
            headers[#headers + 1] = ours
        else
            headers = headers and { headers, ours } or ours
        end
        ngx.header["Set-Cookie"] = headers
    end
end

--- Age of a copy (RFC 9111, 4.2.3). Copies that were revalidated since count from when they were first fetched.
local function add_age(made)
    if made then
        local age = ngx.time() - made
        ngx.header["Age"] = whole(age > 0 and age or 0)
    end
end

--- A background update of a copy: nobody gets this answer, but what it says of the URL holds.
local function updated()
    local seconds = ngx.var.upstream_cache_status and tonumber(ngx.var.upstream_http_tg_pass)
    if seconds then learn(ngx.var.tg_key, seconds) end
end

local H, I = 72, 73

--- Whether the answer is a hit; if so, its age is added.
local function hit()
    local copy, size = variable.read "tg_copy" -- "HIT 1234567890 …"
    if size < 4 or copy[0] ~= H or copy[1] ~= I then return false end
    if size > 4 then add_age(tonumber(C.strtoul(copy + 4, nil, 10))) end
    return true
end

--- header_filter_by_lua of the location with the cache. $tg_copy: state of the cache, Unix time of the answer, origin.
function _M.run()
    if plain.is_begun() then
        if hit() then return plain.hit() end
    -- Variables that are combined of others are the visitor's request's, as they were when they were first asked for.
    elseif ngx.is_subrequest then
        return updated()
    elseif hit() then
        return
    end
    local copy = ngx.var.tg_copy
    local status, made = copy:match("^(%u*) (%d*)")
    if status == "STALE" or status == "UPDATING" then return add_age(tonumber(made)) end
    if status == "" then return end
    local seconds = tonumber(ngx.var.upstream_http_tg_pass)
    if seconds then learn(ngx.var.tg_key, seconds) end
    set_cookie()
end

--- header_filter_by_lua of the locations without cache.
function _M.passed()
    invalidation.after(ngx.status)
    set_cookie()
end

--- Page for a hop behind that broke off (named location of error_page 502 504).
function _M.failed()
    -- nginx forgets with the location what it adds to the answers of that: the server's headers know the cache only.
    if ngx.var.tg_pass == "1" then
        ngx.header["X-Cache"], ngx.header["Cache-Status"] = "BYPASS", "Tidegate; fwd=bypass"
    end
    return pages.answer(ngx.status, ngx.status == 504 and "origin_timeout" or "origin_failed")
end

return _M
