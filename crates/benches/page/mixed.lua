-- Requests for positions of several endgames in turn: in the format of the Lichess tablebase, or with
-- WHAT=position in the format of the page, including a player's line.
local fens = {
  "8/8/8/8/8/1k6/8/K1R5+w", "8/8/8/3k4/8/8/8/K6R+w", "8/8/4k3/8/8/8/2R5/1K6+b",
  "8/8/8/2k5/8/8/8/K6Q+w", "8/4P1k1/8/8/8/8/8/4K3+w", "8/8/8/3k4/8/8/4P3/4K3+w",
  "8/8/8/3k4/8/8/8/K4BB1+w", "8/8/8/3k4/8/8/8/K4BN1+w", "8/8/3qk3/8/8/8/8/KQ6+w",
  "8/8/3rk3/8/8/8/8/KQ6+w",
}
local is_position = os.getenv("WHAT") == "position"
local number = 0

function request()
  number = number % #fens + 1
  if is_position then
    return wrk.format("GET", "/api/position?player=theory&fen=" .. fens[(number - 1) % 3 + 1])
  end
  return wrk.format("GET", "/standard?fen=" .. fens[number])
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    "%.0f answers a second; %.2f ms in the median, %.2f ms at 95 %%, %.2f ms at most; lost: %d",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(95) / 1e3,
    latency.max / 1e3, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
