-- Sends PATCH to one of the paths in a file, with a new text for one field. The arguments are the file, the field, and
-- the length of the text in characters.
package.path = debug.getinfo(1, "S").source:match("@?(.*/)") .. "?.lua;" .. package.path
local told = require("told")
local paths, field, filler = {}, "phenomenon", ""
local count = 0
local tokens = {}
for token in (os.getenv("TOKENS") or ""):gmatch("%S+") do tokens[#tokens + 1] = token end
local headers = { ["Content-Type"] = "application/json" }

function init(arguments)
    paths = told.lines(arguments[1])
    field = arguments[2]
    filler = string.rep("Light reaches the leaf. ", math.ceil(tonumber(arguments[3]) / 24))
    math.randomseed(os.time())
    count = math.random(1000000000)
end

function request()
    count = count + 1
    -- Uses a random user, because one user may not have that many changes in progress.
    headers["Authorization"] = "Bearer " .. tokens[math.random(#tokens)]
    local body = string.format('{"%s":"Look %d: %s"}', field, count, filler)
    return wrk.format("PATCH", paths[math.random(#paths)], headers, body)
end

done = told.done
