-- Sends GET to one of the paths in a file, chosen at random: with the token and the address of a random user, or with
-- the cookie in the argument after the file.
package.path = debug.getinfo(1, "S").source:match("@?(.*/)") .. "?.lua;" .. package.path
local told = require("told")
local paths = {}
local users = {}

function init(arguments)
    paths = told.lines(arguments[1])
    if arguments[2] then
        users = { { ["Cookie"] = arguments[2] } }
    else
        for token in (os.getenv("TOKENS") or ""):gmatch("%S+") do
            users[#users + 1] = { ["Authorization"] = "Bearer " .. token, ["X-Forwarded-For"] = "192.0.2." .. #users + 1 }
        end
    end
    if #users == 0 then
        users = { {} }
    end
    math.randomseed(7)
end

function request()
    return wrk.format("GET", paths[math.random(#paths)], users[math.random(#users)])
end

done = told.done
