--- Identifiers of requests: 32 hex digits, cheap to make. nginx's own $request_id draws 16 bytes from OpenSSL for each request.
local bit = require "bit"
local ffi = require "ffi"
local variable = require "tidegate.variable"

local _M = {}

-- 96 random bits of this worker, then a 32-bit number that takes every value but 0 once before it begins anew (xorshift).
local first, state = 0, 0
local BYTES, PREFIX = 32, 24
local text = ffi.new("char[?]", BYTES)
--- The identifier that was made last.
_M.text = text
local text_pairs = ffi.cast("uint16_t *", text)
-- The two digits of each byte.
local digits = ffi.new("uint16_t[256]")
for byte = 0, 255 do ffi.copy(digits + byte, ("%02x"):format(byte), 2) end

local function put(pair, byte) text_pairs[pair] = digits[bit.band(byte, 255)] end

local function renew()
    local file = assert(io.open("/dev/urandom", "rb"))
    local bytes = file:read(16)
    file:close()
    ffi.copy(text, (bytes:sub(1, 12):gsub(".", function(char) return ("%02x"):format(char:byte()) end)), PREFIX)
    local a, b, c, d = bytes:byte(13, 16)
    first = bit.bor(bit.lshift(a, 24), bit.lshift(b, 16), bit.lshift(c, 8), bit.bor(d, 1))
    state = first
end

--- Called once in each worker, so that no two have the same prefix.
function _M.start() renew() end

--- Gives this request a new one: $tg_rid.
function _M.set()
    state = bit.bxor(state, bit.lshift(state, 13))
    state = bit.bxor(state, bit.rshift(state, 17))
    state = bit.bxor(state, bit.lshift(state, 5))
    if state == first then renew() end
    put(12, bit.rshift(state, 24))
    put(13, bit.rshift(state, 16))
    put(14, bit.rshift(state, 8))
    put(15, state)
    variable.set("tg_rid", text, BYTES)
end

return _M
