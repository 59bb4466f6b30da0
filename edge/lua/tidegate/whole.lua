--- Texts of whole numbers. Those of small ones (statuses, durations, ages) are made before the workers are, in a table without gaps,
-- which compiled code can read.
local table_new = require "table.new"

local BELOW = 10000
local texts = table_new(BELOW, 0)
for number = 0, BELOW - 1 do texts[number] = ("%d"):format(number) end

--- "17" for 17. A whole number.
return function(number)
    if number >= 0 and number < BELOW then return texts[number] end
    return ("%d"):format(number)
end
