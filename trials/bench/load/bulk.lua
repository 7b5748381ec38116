-- Sends bulk calls of 100 texts. Arguments: a prefix for idempotency keys, then API keys, used in turn.
dofile(debug.getinfo(1, 'S').source:match('@?(.*/)') .. 'result.lua')

local calls = 0
local requests = 'POST /v1/notify/sms/bulk HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-Api-Key: '

function init(args)
  prefix, keys = args[1], {}
  for index = 2, #args do keys[#keys + 1] = args[index] end
end

function request()
  calls = calls + 1
  local items = {}
  for item = 1, 100 do
    items[item] = string.format(
      '{"to":"+1415555%04d","text":"Your code is %d. It is good for ten minutes.","idempotencyKey":"%s-%d-%d"}',
      (calls * 100 + item) % 10000, calls, prefix, calls, item)
  end
  local body = '{"messages":[' .. table.concat(items, ',') .. ']}'
  return requests .. keys[calls % #keys + 1] .. '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end
