-- What every script shares: its result as one line of JSON.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"errors":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d}',
    summary.requests, errors.status + errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
