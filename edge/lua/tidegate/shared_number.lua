--- One number that all workers see without a lock: the sequence number of the last change of the configuration.
-- It lies on a page that the master maps before it forks, so reading it costs a memory access and no call.
local ffi = require "ffi"

ffi.cdef [[
void *mmap(void *addr, size_t length, int prot, int flags, int fd, long offset);
]]

local PROT_READ_WRITE, MAP_SHARED_ANONYMOUS = 3, 0x21
local _M = {}

--- A new shared page; the number is its first element.
function _M.map()
    local address = ffi.C.mmap(nil, 4096, PROT_READ_WRITE, MAP_SHARED_ANONYMOUS, -1, 0)
    if ffi.cast("intptr_t", address) == -1 then error("no memory for the shared page") end
    return ffi.cast("volatile double *", address)
end

return _M
