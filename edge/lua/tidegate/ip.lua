--- IP addresses and networks. Every address is four 32-bit words; IPv4 is kept as ::ffff:a.b.c.d.
local bit = require "bit"

local band, bor, lshift, rshift, tobit = bit.band, bit.bor, bit.lshift, bit.rshift, bit.tobit
local _M = {}

local MAPPED = 0xffff

local function parse_v4(text)
    local a, b, c, d = text:match("^(%d%d?%d?)%.(%d%d?%d?)%.(%d%d?%d?)%.(%d%d?%d?)$")
    if not a then return nil end
    a, b, c, d = tonumber(a), tonumber(b), tonumber(c), tonumber(d)
    if a > 255 or b > 255 or c > 255 or d > 255 then return nil end
    return bor(lshift(a, 24), lshift(b, 16), lshift(c, 8), d)
end

--- Groups of a piece of an IPv6 address ("a:b:c"), appended to `groups`. nil when malformed.
local function add_groups(piece, groups)
    if piece == "" then return true end
    local from = 1
    while true do
        local colon = piece:find(":", from, true)
        local part = piece:sub(from, colon and colon - 1)
        if not colon and part:find(".", 1, true) then
            local v4 = parse_v4(part)
            if not v4 then return nil end
            groups[#groups + 1] = rshift(v4, 16)
            groups[#groups + 1] = band(v4, 0xffff)
            return true
        end
        if not part:match("^%x%x?%x?%x?$") then return nil end
        groups[#groups + 1] = tonumber(part, 16)
        if not colon then return true end
        from = colon + 1
    end
end

local function parse_v6(text)
    local left, right = {}, {}
    local gap = text:find("::", 1, true)
    if gap then
        if not add_groups(text:sub(1, gap - 1), left) or not add_groups(text:sub(gap + 2), right) then return nil end
        if #left + #right > 7 then return nil end
        for _ = 1, 8 - #left - #right do left[#left + 1] = 0 end
        for i = 1, #right do left[#left + 1] = right[i] end
    elseif not add_groups(text, left) then
        return nil
    end
    if #left ~= 8 then return nil end
    local words = {}
    for i = 1, 4 do words[i] = bor(lshift(left[2 * i - 1], 16), left[2 * i]) end
    return words
end

--- Four words of an address (brackets allowed), or nil.
function _M.parse(text)
    text = text:match("^%[(.*)%]$") or text
    local v4 = parse_v4(text)
    if v4 then return { 0, 0, MAPPED, v4 } end
    return parse_v6(text)
end

--- A network "address/bits" or a single address: {words, bits}, or nil.
function _M.parse_cidr(text)
    local address, bits = text:match("^(.-)/(%d%d?%d?)$")
    local words = _M.parse(address or text)
    if not words then return nil end
    local v4 = parse_v4(address or text) ~= nil
    local most = v4 and 32 or 128
    bits = tonumber(bits) or most
    if bits > most then return nil end
    return { words = words, bits = v4 and bits + 96 or bits }
end

--- Whether the address (four words) lies in the network.
function _M.within(words, cidr)
    local left = cidr.bits
    for i = 1, 4 do
        if left <= 0 then return true end
        local mask = left >= 32 and -1 or tobit(lshift(-1, 32 - left))
        if band(words[i], mask) ~= band(cidr.words[i], mask) then return false end
        left = left - 32
    end
    return true
end

local function cidrs(list)
    local parsed = {}
    for i = 1, #list do parsed[i] = assert(_M.parse_cidr(list[i]), list[i]) end
    return parsed
end

-- IANA special-purpose registries: this network, private, shared, loopback, link-local, protocol assignments, benchmarks,
-- multicast, reserved; unspecified, loopback, local NAT64, discard, Teredo, unique local, link-local, site-local, multicast.
local SPECIAL_V4 = cidrs {
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
}
local SPECIAL_V6 = cidrs {
    "::/128", "::1/128", "64:ff9b:1::/48", "100::/64", "2001::/32", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
}
-- Forms that carry an IPv4 address inside: which word and how far to shift tells where.
local NAT64 = _M.parse_cidr("64:ff9b::/96")
local TRANSLATED = _M.parse_cidr("::ffff:0:0:0/96")
local SIX_TO_FOUR = _M.parse_cidr("2002::/16")
local COMPATIBLE = _M.parse_cidr("::/96")

local function within_any(words, list)
    for i = 1, #list do
        if _M.within(words, list[i]) then return true end
    end
    return false
end

local function special_v4(v4)
    return within_any({ 0, 0, MAPPED, v4 }, SPECIAL_V4)
end

--- Whether an address must not be an origin of its own accord: not on the public internet, in whatever notation.
function _M.is_private(words)
    if words[1] == 0 and words[2] == 0 and words[3] == MAPPED then return special_v4(words[4]) end
    if within_any(words, SPECIAL_V6) then return true end
    if _M.within(words, NAT64) or _M.within(words, COMPATIBLE) or _M.within(words, TRANSLATED) then return special_v4(words[4]) end
    if _M.within(words, SIX_TO_FOUR) then
        return special_v4(bor(lshift(words[1], 16), rshift(words[2], 16)))
    end
    return false
end

return _M
