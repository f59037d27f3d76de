-- Like patch.lua, but with a limited rate: each connection waits before its next request. The last argument is the mean
-- wait in milliseconds; the other arguments are the same as for patch.lua. Refusals with Retry-After do not count as
-- failures.
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
    -- The wait is random, so that connections that start together do not stay in step.
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
