-- Sends single texts. Arguments: a prefix for idempotency keys, the count (0: no end), then API keys, used in turn.
dofile(debug.getinfo(1, 'S').source:match('@?(.*/)') .. 'result.lua')

local sent = 0
local requests = 'POST /v1/notify/sms/text HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Api-Key: '

function init(args)
  prefix, keys = args[1], {}
  local most = tonumber(args[2])
  for index = 3, #args do keys[#keys + 1] = args[index] end
  if most > 0 then response = counter(most) end
end

function request()
  sent = sent + 1
  local body = string.format(
    '{"to":"+1415555%04d","text":"Your code is %d. It is good for ten minutes.","idempotencyKey":"%s-%d"}',
    sent % 10000, sent, prefix, sent)
  return requests .. keys[sent % #keys + 1] .. '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end
