--- Answers to HTTP-01 challenges (RFC 8555, 8.3). A token is answered for its own host and until its time is over; every other
-- token is the origin's matter, since a site's owner may get certificates there, too.
--
-- Keys in tg_challenges: "<host> <token>"; the value is the key authorization.
local _M = {}
local dict = ngx.shared.tg_challenges

--- Takes one. nil, reason, detail when memory is short.
function _M.put(key, body)
    local seconds = body.expires - ngx.time()
    if seconds <= 0 then
        dict:delete(key)
        return true
    end
    local ok, err = dict:safe_set(key, body.keyAuthorization, seconds)
    if not ok then return nil, "full", err end
    return true
end

function _M.remove(key) dict:delete(key) end

--- The key authorization, or nil.
function _M.find(host, token) return dict:get(host .. " " .. token) end

--- Keys of all.
function _M.keys() return dict:get_keys(0) end

return _M
