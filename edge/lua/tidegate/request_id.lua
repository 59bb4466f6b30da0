--- Identifiers of requests: 32 hex digits, cheap to make. nginx's own $request_id draws 16 bytes from OpenSSL for each request.
local bit = require "bit"

local _M = {}

local tohex = bit.tohex
-- 96 random bits of this worker, then a 32-bit number that takes every value but 0 once before it begins anew (xorshift).
local prefix, first, state = "", 0, 0

local function renew()
    local file = assert(io.open("/dev/urandom", "rb"))
    local bytes = file:read(16)
    file:close()
    prefix = bytes:sub(1, 12):gsub(".", function(char) return ("%02x"):format(char:byte()) end)
    local a, b, c, d = bytes:byte(13, 16)
    first = bit.bor(bit.lshift(a, 24), bit.lshift(b, 16), bit.lshift(c, 8), bit.bor(d, 1))
    state = first
end

--- Called once in each worker, so that no two have the same prefix.
function _M.start() renew() end

function _M.next()
    state = bit.bxor(state, bit.lshift(state, 13))
    state = bit.bxor(state, bit.rshift(state, 17))
    state = bit.bxor(state, bit.lshift(state, 5))
    if state == first then renew() end
    return prefix .. tohex(state)
end

return _M
