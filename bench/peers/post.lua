-- The task of bench/jobs/task.yaml for wrk. All connections of a wrk thread share these values, so a token goes
-- to whichever connection sends next.
local padding = string.rep("a", 225)
local sequence, token = 0, "first"

function request()
  local user = "user." .. math.random(0, 1999999)
  sequence = sequence + 1
  local body = '{"user":"' .. user .. '","sequence":"' .. sequence .. '","padding":"' .. padding .. '"}'
  return wrk.format("POST", "/x?user=" .. user,
    { ["X-Token"] = token, ["Content-Type"] = "application/json" }, body)
end

function response(status, headers, body)
  if status == 200 then
    token = string.match(body, '"tokenId":"([^"]*)"')
  end
end
