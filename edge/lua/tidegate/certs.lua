--- Certificates by name. In shared memory as DER, cut into leaf, key and issuers: a shared dictionary spends powers of two, and
-- thousands of certificates share a few issuers. Parsed forms are kept by each worker for the names that are asked for.
--
-- Keys in tg_certs: "m <key>" fingerprint, names and issuers; "l <key>" leaf; "k <key>" private key after the word of its PEM form; "i <md5>" an issuer;
-- "n <name>" the keys that cover a name, the one that lasts longest first.
local ffi = require "ffi"
local lrucache = require "resty.lrucache"
local sites = require "tidegate.sites"
local ssl = require "ngx.ssl"

ffi.cdef [[
void *OPENSSL_sk_value(const void *stack, int index);
int X509_check_private_key(const void *certificate, const void *key);
void ERR_clear_error(void);
]]

local _M = {}
local dict = ngx.shared.tg_certs

local parsed = lrucache.new(2000)

--- PEM blocks of a kind as a list of DER.
local function blocks(pem, kind)
    local found = {}
    for text in pem:gmatch("%-%-%-%-%-BEGIN " .. kind .. "%-%-%-%-%-(.-)%-%-%-%-%-END") do
        found[#found + 1] = ngx.decode_base64((text:gsub("%s", "")))
    end
    return found
end

local function to_pem(kind, der)
    local lines = ngx.encode_base64(der):gsub(("."):rep(64), "%0\n")
    return ("-----BEGIN %s-----\n%s\n-----END %s-----\n"):format(kind, lines, kind)
end

--- nil, or why the chain and the key do not parse or do not belong together. Costs OpenSSL a tenth of a millisecond and more.
local function mismatch(body)
    local chain, err = ssl.parse_pem_cert(body.certPem)
    if not chain then return "certPem: " .. err end
    local key
    key, err = ssl.parse_pem_priv_key(body.keyPem)
    if not key then return "keyPem: " .. err end
    local fits = ffi.C.X509_check_private_key(ffi.C.OPENSSL_sk_value(chain, 0), key)
    ffi.C.ERR_clear_error()
    if fits ~= 1 then return "the key is not the certificate's" end
    return nil
end

--- The chain's DER and the key as it is stored; nil, detail when the texts are not PEM.
local function take_apart(body)
    local ders = blocks(body.certPem, "CERTIFICATE")
    if #ders == 0 then return nil, "no certificate in certPem" end
    local kind, text = body.keyPem:match("%-%-%-%-%-BEGIN ([%u ]*PRIVATE KEY)%-%-%-%-%-(.-)%-%-%-%-%-END")
    local key_der = text and ngx.decode_base64((text:gsub("%s", "")))
    if not key_der then return nil, "no private key in keyPem" end
    return ders, kind .. "\n" .. key_der
end

local function describe(key)
    local text = dict:get("m " .. key)
    if not text then return nil end
    local fingerprint, not_after, issuers, names = text:match("^(%S+) (%d+) (%S+) ?(.*)$")
    return { fingerprint = fingerprint, not_after = tonumber(not_after), issuers = issuers, names = names }
end

local function without(list, key)
    local kept = {}
    for word in (list or ""):gmatch("%S+") do
        if word ~= key then kept[#kept + 1] = word end
    end
    return kept
end

local function unname(key, names)
    for name in names:gmatch("%S+") do
        local kept = without(dict:get("n " .. name), key)
        if #kept == 0 then dict:delete("n " .. name) else dict:set("n " .. name, table.concat(kept, " ")) end
    end
end

local function add_name(name, key, not_after)
    local keys = without(dict:get("n " .. name), key)
    local at = 1
    while keys[at] and (describe(keys[at]) or { not_after = 0 }).not_after >= not_after do at = at + 1 end
    table.insert(keys, at, key)
    return dict:safe_set("n " .. name, table.concat(keys, " "))
end

local function put_all(values)
    for i = 1, #values, 2 do
        local ok, err = dict:safe_set(values[i], values[i + 1])
        if not ok then return nil, err end
    end
    return true
end

--- Stores a certificate. nil, reason, detail when it is bad or memory is short; the version before then stays.
-- `checked`: it was in force before this start, so key and chain are not matched again.
function _M.put(key, body, checked)
    if key:find("%s") then return nil, "schema", "key" end
    local ders, key_der = take_apart(body)
    if not ders then return nil, "certificate", key_der end
    local wrong = not checked and mismatch(body)
    if wrong then return nil, "certificate", wrong end
    local before = describe(key)
    local issuers, values = {}, {}
    for i = 2, #ders do
        issuers[#issuers + 1] = ngx.md5(ders[i])
        values[#values + 1], values[#values + 2] = "i " .. issuers[#issuers], ders[i]
    end
    local names = table.concat(body.names, " "):lower()
    local fingerprint = ngx.md5(body.certPem .. body.keyPem)
    local leaf, old_key = dict:get("l " .. key), dict:get("k " .. key)
    for _, value in ipairs { "l " .. key, ders[1], "k " .. key, key_der, "m " .. key,
        ("%s %d %s %s"):format(fingerprint, body.notAfter, #issuers > 0 and table.concat(issuers, ",") or "-", names) } do
        values[#values + 1] = value
    end
    local ok, err = put_all(values)
    if not ok then
        if before then put_all { "l " .. key, leaf, "k " .. key, old_key } else _M.remove(key) end
        return nil, "full", err
    end
    if before and before.names ~= names then unname(key, before.names) end
    for name in names:gmatch("%S+") do
        ok, err = add_name(name, key, body.notAfter)
        if not ok then return nil, "full", err end
    end
    return true
end

function _M.remove(key)
    local before = describe(key)
    if before then unname(key, before.names) end
    for _, kind in ipairs { "m ", "l ", "k " } do dict:delete(kind .. key) end
end

--- Keys of all certificates.
function _M.keys()
    local keys = {}
    for _, name in ipairs(dict:get_keys(0)) do
        if name:sub(1, 2) == "m " then keys[#keys + 1] = name:sub(3) end
    end
    return keys
end

local function load(key, description)
    local leaf, key_der = dict:get("l " .. key), dict:get("k " .. key)
    if not leaf or not key_der then return nil, "gone" end
    local pem = { to_pem("CERTIFICATE", leaf) }
    for issuer in description.issuers:gmatch("%x+") do
        local der = dict:get("i " .. issuer)
        if der then pem[#pem + 1] = to_pem("CERTIFICATE", der) end
    end
    local chain, err = ssl.parse_pem_cert(table.concat(pem))
    if not chain then return nil, err end
    local private
    local kind, der = key_der:match("^([^\n]*)\n(.*)$")
    private, err = ssl.parse_pem_priv_key(to_pem(kind, der))
    if not private then return nil, err end
    return { fingerprint = description.fingerprint, chain = chain, key = private }
end

local function covers(names, name)
    local wildcard = name:gsub("^[^.]+", "*", 1)
    return (" " .. names .. " "):find(" " .. name .. " ", 1, true) or (" " .. names .. " "):find(" " .. wildcard .. " ", 1, true)
end

local function by_name(name)
    local list = dict:get("n " .. name) or dict:get("n " .. name:gsub("^[^.]+", "*", 1))
    return list and list:match("^%S+")
end

--- Key of the certificate for a server name: the site's own when it covers the name, else one that does, else the site's own.
local function choose(name)
    local site = sites.find(name)
    local own = site and site.cert ~= "" and describe(site.cert) and site.cert or nil
    if own and covers(describe(own).names, name) then return own end
    return by_name(name) or own
end

--- ssl_certificate_by_lua. Without a match the handshake goes on with the default certificate of the file.
function _M.serve()
    local name = ssl.server_name()
    local key = name and choose(name:lower())
    local description = key and describe(key)
    if not description then return end
    local entry = parsed:get(key)
    if not entry or entry.fingerprint ~= description.fingerprint then
        local err
        entry, err = load(key, description)
        if not entry then
            ngx.log(ngx.ERR, "certificate ", key, ": ", err)
            return
        end
        parsed:set(key, entry)
    end
    ssl.clear_certs()
    ssl.set_cert(entry.chain)
    ssl.set_priv_key(entry.key)
end

return _M
