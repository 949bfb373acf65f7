-- Requests for wrk, built once: POST /ruc with a Bearer token and a RUC from the file. The order is random.
-- wrk -s post.lua URL -- TOKEN RUCS_FILE
local requests, next_request = {}, 0

function init(arguments)
  math.randomseed(1)
  local headers = {
    ["Accept"] = "application/json",
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. arguments[1],
  }
  for ruc in io.lines(arguments[2]) do
    requests[#requests + 1] = wrk.format("POST", "/ruc", headers, '{"ruc":"' .. ruc .. '"}')
  end
end

function request()
  next_request = next_request % #requests + 1
  return requests[next_request]
end

function done(summary, latency, _)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("requests %d\nmicros %d\nnot_ok %d\nfailed %d\np50_us %d\np99_us %d\n", summary.requests,
    summary.duration, summary.errors.status, failed, latency:percentile(50), latency:percentile(99)))
end
