-- What every script shares: lines of a file, and what is told at the end.
local told = {}

function told.lines(path)
    local lines = {}
    for line in io.lines(path) do
        lines[#lines + 1] = line
    end
    return lines
end

-- One line of JSON. A status other than success is a failure, as is no answer at all; of those, so many were refusals
-- that say when to come again.
function told.done(summary, latency, refused)
    refused = tonumber(refused) or 0
    local errors = summary.errors
    local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status - refused
    print(string.format(
        '{"requests":%d,"microseconds":%d,"mean":%f,"p99":%f,"p995":%f,"failed":%d,"refused":%d}',
        summary.requests, summary.duration, latency.mean, latency:percentile(99), latency:percentile(99.5), failures, refused))
end

return told
