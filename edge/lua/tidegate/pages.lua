--- The platform's own pages: unknown host, paused site, origin trouble. Self-contained HTML in the visitor's language.
local store = require "tidegate.store"

local _M = {}

local LOCALES = { en = require "tidegate.locale.en", zh = require "tidegate.locale.zh" }

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
local function escape(text) return (text:gsub("[&<>\"']", ESCAPES)) end

--- zh or en, by the weights of an Accept-Language header; en when neither is asked for.
function _M.language(header)
    local best, best_weight = "en", 0
    for part in (header or ""):lower():gmatch("[^,]+") do
        local tag, parameters = part:match("^%s*([%a%-%*]+)%s*(.*)$")
        local name = tag and tag:match("^%a+")
        local weight = tonumber((parameters or ""):match("q%s*=%s*([%d%.]+)") or 1) or 0
        if name and LOCALES[name] and weight > best_weight then best, best_weight = name, weight end
    end
    return best
end

local STYLE = [[:root{color-scheme:light dark;--bg:#f5f7fa;--card:#fff;--text:#1f2a37;--soft:#64748b;--line:#e2e8f0;--mark:#0f766e}
@media(prefers-color-scheme:dark){:root{--bg:#0f1720;--card:#17212b;--text:#e5eaf0;--soft:#93a1b3;--line:#2a3644;--mark:#2dd4bf}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:24px;background:var(--bg);color:var(--text);
font:16px/1.6 system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:560px;width:100%;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:32px}
p.code{margin:0;font-size:44px;line-height:1.1;font-weight:700;color:var(--mark)}h1{margin:8px 0 12px;font-size:22px;line-height:1.35}p{margin:0 0 20px}
dl{margin:0;padding-top:16px;border-top:1px solid var(--line);display:grid;grid-template-columns:auto 1fr;gap:4px 16px;font-size:13px;color:var(--soft)}
dt{white-space:nowrap}dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,Menlo,Consolas,monospace}footer{margin-top:20px;font-size:13px;color:var(--soft)}]]

local TEMPLATE = [[<!doctype html>
<html lang="%s"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>%d %s</title><style>%s</style></head>
<body><main><p class="code">%d</p><h1>%s</h1><p>%s</p><dl><dt>%s</dt><dd>%s</dd><dt>%s</dt><dd>%s</dd><dt>%s</dt><dd>%s</dd></dl><footer>%s</footer></main></body></html>
]]

--- HTML of a page. `why` is the machine word of the reason; everything else is escaped here.
function _M.render(language, status, why, request_id, host, brand)
    local words = LOCALES[language]
    return TEMPLATE:format(words.lang, status, words.titles[why], STYLE, status, words.titles[why], words.texts[why],
        words.request, escape(request_id), words.host, escape(host), words.time, ngx.utctime() .. " UTC", escape(brand))
end

local function send(status, why, request_id)
    ngx.status = status
    ngx.ctx.why = why
    ngx.header["Content-Type"] = "text/html; charset=utf-8"
    ngx.header["Cache-Control"] = "no-store"
    ngx.header["Vary"] = "Accept-Language"
    ngx.header["X-Content-Type-Options"] = "nosniff"
    ngx.header["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    local language = _M.language(ngx.var.http_accept_language)
    ngx.print(_M.render(language, status, why, request_id, ngx.var.host or "", store.settings().brand))
    return ngx.exit(ngx.HTTP_OK)
end

--- Ends a request of the outer hop with a page; `why` goes to the log.
function _M.answer(status, why)
    ngx.var.tg_why = why
    return send(status, why, ngx.var.tg_rid)
end

--- Ends a request of the inner hop with a page and tells the outer one why.
function _M.answer_inside(status, why)
    ngx.header["Tg-Why"] = why
    -- A loop is what the request says of itself, not what is known of the address.
    if why ~= "loop" then ngx.header["Tg-Pass"] = "5" end
    ngx.header["Tg-Cache-Control"] = "no-store"
    return send(status, why, ngx.var.http_x_request_id or "")
end

return _M
