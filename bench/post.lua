-- Requests for wrk, built once: POST /ruc with a RUC from the file and a Bearer token. The file's order is random.
-- wrk -s post.lua URL -- TOKEN RUCS_FILE [DAY]
-- With a day, POST /ruc-historial for it.
-- `@FILE` in place of TOKEN names a file with one token per line, which are used in turn.
local requests, next_request = {}, 0

function init(arguments)
  math.randomseed(1)
  local headers = { ["Accept"] = "application/json", ["Content-Type"] = "application/json" }
  local tokens, day = { arguments[1] }, arguments[3]
  if arguments[1]:sub(1, 1) == "@" then
    tokens = {}
    for token in io.lines(arguments[1]:sub(2)) do
      tokens[#tokens + 1] = token
    end
  end
  for ruc in io.lines(arguments[2]) do
    headers["Authorization"] = "Bearer " .. tokens[#requests % #tokens + 1]
    local body = '{"ruc":"' .. ruc .. (day and '","fecha":"' .. day or "") .. '"}'
    requests[#requests + 1] = wrk.format("POST", day and "/ruc-historial" or "/ruc", headers, body)
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
