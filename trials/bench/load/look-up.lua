-- Looks up messages in random order. Arguments: an API key, a file with one id per line.
dofile(debug.getinfo(1, 'S').source:match('@?(.*/)') .. 'result.lua')

function init(args)
  key, ids = args[1], {}
  for id in io.lines(args[2]) do ids[#ids + 1] = id end
  math.randomseed(1)
end

function request()
  return 'GET /v1/notify/messages/' .. ids[math.random(#ids)] .. ' HTTP/1.1\r\nHost: bench\r\nX-Api-Key: ' .. key .. '\r\n\r\n'
end
