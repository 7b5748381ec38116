-- Sends single templates. Arguments: a prefix for idempotency keys, then API keys, used in turn.
dofile(debug.getinfo(1, 'S').source:match('@?(.*/)') .. 'result.lua')

local sent = 0
local requests = 'POST /v1/notify/sms/template HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Api-Key: '

function init(args)
  prefix, keys = args[1], {}
  for index = 2, #args do keys[#keys + 1] = args[index] end
end

function request()
  sent = sent + 1
  local body = string.format(
    '{"to":"+1415555%04d","template":{"name":"code","language":"en","parameters":{"body":["%d","ten minutes"]}},"idempotencyKey":"%s-%d"}',
    sent % 10000, sent, prefix, sent)
  return requests .. keys[sent % #keys + 1] .. '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end
