-- Sends texts through Kannel's sendsms, with delivery reports. Arguments: user name, password, count, dlr-url
-- (escaped).
dofile(debug.getinfo(1, 'S').source:match('@?(.*/)') .. 'result.lua')

local sent = 0

function init(args)
  response = counter(tonumber(args[3]))
  base = string.format(
    'GET /cgi-bin/sendsms?username=%s&password=%s&from=Notify&dlr-mask=1&dlr-url=%s', args[1], args[2], args[4])
end

function request()
  sent = sent + 1
  return string.format(
    '%s&to=%%2B1415555%04d&text=Your+code+is+%d.+It+is+good+for+ten+minutes. HTTP/1.1\r\nHost: bench\r\n\r\n',
    base, sent % 10000, sent)
end
