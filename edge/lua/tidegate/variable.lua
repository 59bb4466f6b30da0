--- Variables of nginx without a Lua string: `ngx.var` makes one at each read, which costs a hash, a place in the table of all
-- strings and the collector's time; that counts where the text differs with each request.
local base = require "resty.core.base"
local ffi = require "ffi"
require "resty.core.var" -- declares the two functions below

local _M = {}

local C = ffi.C
local OK = 0
local ERROR_BYTES = 256
local value, length, why = ffi.new("char *[1]"), ffi.new("size_t[1]"), ffi.new("char *[1]")
local none = ffi.new("char[1]")

--- Pointer to the text and its length; length 0 when it has no value. `name` is lower case. Holds until the next read.
function _M.read(name)
    local size = #name
    local code = C.ngx_http_lua_ffi_var_get(base.get_request(), name, size, base.get_string_buf(size), 0, value, length, why)
    if code ~= OK then return none, 0 end
    return value[0], tonumber(length[0])
end

--- Sets the variable to a text of `size` bytes, which is copied. `name` is lower case.
function _M.set(name, text, size)
    local scratch = base.get_string_buf(#name + ERROR_BYTES)
    length[0] = ERROR_BYTES
    local code = C.ngx_http_lua_ffi_var_set(base.get_request(), name, #name, scratch, text, size, scratch + #name, length)
    if code ~= OK then error("variable " .. name .. " not set") end
end

return _M
