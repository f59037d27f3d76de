-- Code that all scripts share: reads the lines of a file, and prints the result of a run.
local told = {}

function told.lines(path)
    local lines = {}
    for line in io.lines(path) do
        lines[#lines + 1] = line
    end
    return lines
end

-- Prints the result as one line of JSON. A request failed if its status is not a success or if it has no response.
-- "refused" counts the requests that were refused with Retry-After; they do not count as failed.
function told.done(summary, latency, refused)
    refused = tonumber(refused) or 0
    local errors = summary.errors
    local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status - refused
    print(string.format(
        '{"requests":%d,"microseconds":%d,"p99":%f,"p995":%f,"failed":%d,"refused":%d}',
        summary.requests, summary.duration, latency:percentile(99), latency:percentile(99.5), failures, refused))
end

return told
