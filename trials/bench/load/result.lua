-- Shared by every script: prints the result as one line of JSON, at the end of the time or of the count.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"errors":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d}',
    summary.requests, errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end

local answered, refused = 0, 0

-- For scripts that end by count. wrk itself only knows a duration, so wrk.ts ends it after this line.
function counter(most)
  return function(status)
    answered = answered + 1
    if status ~= 202 then refused = refused + 1 end
    if answered == most then
      io.stdout:write(string.format(
        '{"requests":%d,"errors":%d,"durationUs":0,"p50Us":0,"p99Us":0}\n', answered, refused))
      io.stdout:flush()
      wrk.thread:stop()
    end
  end
end
