-- Sends GET to one of the paths in a file, chosen at random, with a token, or with the cookie that follows the file.
package.path = debug.getinfo(1, "S").source:match("@?(.*/)") .. "?.lua;" .. package.path
local told = require("told")
local paths = {}
local headers = { ["Authorization"] = "Bearer " .. ((os.getenv("TOKENS") or ""):match("%S+") or "") }

function init(arguments)
    paths = told.lines(arguments[1])
    if arguments[2] then
        headers = { ["Cookie"] = arguments[2] }
    end
    math.randomseed(7)
end

function request()
    return wrk.format("GET", paths[math.random(#paths)], headers)
end

done = told.done
