--- A variable of nginx copied straight into a string.buffer. `ngx.var` would make a Lua string of it, which costs a hash, a place
-- in the table of all strings and the collector's time; that counts where the text differs with each request.
local base = require "resty.core.base"
local ffi = require "ffi"
require "resty.core.var" -- declares the function below

ffi.cdef [[ void *memchr(const void *text, int byte, size_t length); ]]

local _M = {}

local C = ffi.C
local OK = 0
local value, length, why = ffi.new("char *[1]"), ffi.new("size_t[1]"), ffi.new("char *[1]")

--- Appends the variable; nothing when it has no value. `name` is lower case.
function _M.append(buffer, name)
    local size = #name
    local scratch = base.get_string_buf(size)
    local code = C.ngx_http_lua_ffi_var_get(base.get_request(), name, size, scratch, 0, value, length, why)
    if code == OK then buffer:putcdata(value[0], length[0]) end
end

local QUOTE, BACKSLASH = 34, 92

--- Appends the variable as it is and returns true, unless it is missing, longer than `most` or has a character that a string of JSON
-- cannot have: then nothing is appended. (nginx refuses a request line with control characters.)
function _M.append_plain(buffer, name, most)
    local size = #name
    local scratch = base.get_string_buf(size)
    local code = C.ngx_http_lua_ffi_var_get(base.get_request(), name, size, scratch, 0, value, length, why)
    if code ~= OK or length[0] > most then return false end
    local text = value[0]
    if C.memchr(text, QUOTE, length[0]) ~= nil or C.memchr(text, BACKSLASH, length[0]) ~= nil then return false end
    buffer:putcdata(text, length[0])
    return true
end

return _M
