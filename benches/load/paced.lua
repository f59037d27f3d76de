-- Like patch.lua, at a pace: each connection waits after an answer. Arguments are those of patch.lua and the
-- milliseconds to wait. Refusals that say when to come again are counted apart from what fails.
package.path = debug.getinfo(1, "S").source:match("@?(.*/)") .. "?.lua;" .. package.path
dofile(debug.getinfo(1, "S").source:match("@?(.*/)") .. "patch.lua")
local told = require("told")
local pause = 0
local prepare = init
refused = 0

function init(arguments)
    prepare(arguments)
    pause = tonumber(arguments[4])
end

function delay()
    -- Spread, so that connections that began together do not go on together.
    return math.random(2 * pause)
end

function response(status, headers)
    if (status == 503 or status == 429) and (headers["Retry-After"] or headers["retry-after"]) then refused = refused + 1 end
end

local threads = {}

function setup(thread)
    threads[#threads + 1] = thread
end

function done(summary, latency)
    local all = 0
    for _, thread in ipairs(threads) do all = all + thread:get("refused") end
    told.done(summary, latency, all)
end
