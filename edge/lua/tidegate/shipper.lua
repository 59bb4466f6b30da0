--- Hands the log lines of this worker to the agent: numbered blocks, each kept until the agent has it in its spool.
-- The protocol and the bounds of loss are in edge/README.md. Nothing here runs in a request but `room` and `finish`.
local ffi = require "ffi"

local _M = {}

local EVERY = 0.2
local BLOCK_BYTES = 1048576
--- Lines are gathered to pieces of this size; a piece is what is dropped at a time.
local PIECE_BYTES = 65536
--- A line is shorter: what it holds of a visitor's request fits into nginx's buffers for headers.
local LINE_MOST = 262144
local KEPT_BYTES = 8 * 1048576
--- While the agent is away it is asked for this seldom.
local AWAY_SECONDS = 2
local ACK_MS, CONNECT_MS, LAST_MS = 10000, 1000, 2000

local path
local worker_id
-- The piece that lines are being written to, and the number of its lines.
local open, open_bytes, open_lines = ffi.new("char[?]", PIECE_BYTES + LINE_MOST), 0, 0
-- Whole pieces not yet in a block, {text, lines}: a queue between first and last.
local pieces, first, last, bytes = {}, 1, 0, 0
local dropped, sequence = 0, 0
local block -- {sequence, text, dropped}: sent and not yet acknowledged
local busy = false
-- The worker shuts down: its timers are over, but requests in flight still end.
local ending = false
local not_before = 0

local function drop_oldest()
    while bytes > KEPT_BYTES and first <= last do
        bytes = bytes - #pieces[first].text
        dropped = dropped + pieces[first].lines
        pieces[first] = nil
        first = first + 1
    end
end

local function close_piece()
    if open_lines == 0 then return end
    last = last + 1
    pieces[last] = { text = ffi.string(open, open_bytes), lines = open_lines }
    open_bytes, open_lines = 0, 0
    bytes = bytes + #pieces[last].text
    if bytes > KEPT_BYTES then drop_oldest() end
end

--- Where the next line is to be written: LINE_MOST bytes; `finish` follows at once.
function _M.room() return open + open_bytes end

local function seal()
    if block then return block end
    close_piece()
    if first > last then return nil end
    local texts, size = {}, 0
    while first <= last and (size == 0 or size + #pieces[first].text <= BLOCK_BYTES) do
        texts[#texts + 1] = pieces[first].text
        size = size + #pieces[first].text
        pieces[first] = nil
        first = first + 1
    end
    sequence = sequence + 1
    block = { sequence = sequence, text = table.concat(texts), dropped = dropped }
    bytes = bytes - size
    if first > last then first, last = 1, 0 end
    return block
end

--- Sends what is kept, block by block, until nothing is left or the agent does not answer. true when nothing is left.
local function hand_over(timeout)
    local socket = ngx.socket.tcp()
    socket:settimeouts(CONNECT_MS, timeout, timeout)
    if not socket:connect("unix:" .. path) then return false end
    while seal() do
        local head = ("#%s %d %d %d\n"):format(worker_id, block.sequence, #block.text, block.dropped)
        local sent = socket:send { head, block.text }
        local answer = sent and socket:receive("*l")
        if tonumber(answer) ~= block.sequence then
            socket:close()
            return false
        end
        dropped = dropped - block.dropped
        block = nil
    end
    socket:setkeepalive(60000, 1)
    return true
end

local function tick(premature)
    ending = ending or premature
    if busy or (first > last and open_lines == 0 and not block) then return end
    if ngx.now() < not_before and not ending then return end
    busy = true
    local ok, err = pcall(hand_over, ending and LAST_MS or ACK_MS)
    busy = false
    if not ok or not err then not_before = ngx.now() + AWAY_SECONDS end
    if not ok then ngx.log(ngx.ERR, "log lines kept: ", err) end
end

--- The line that was written is whole: `size` bytes, newline included.
function _M.finish(size)
    open_bytes = open_bytes + size
    open_lines = open_lines + 1
    if open_bytes >= PIECE_BYTES then close_piece() end
    -- A timer without delay is the only kind that a worker may still make then.
    if ending then ngx.timer.at(0, tick) end
end

local function random_id()
    local file = assert(io.open("/dev/urandom", "rb"))
    local bytes_read = file:read(16)
    file:close()
    return (bytes_read:gsub(".", function(char) return ("%02x"):format(char:byte()) end))
end

--- Starts the shipping of this worker.
function _M.start(socket_path)
    path = socket_path
    worker_id = random_id()
    assert(ngx.timer.every(EVERY, tick))
end

return _M
