import { parseRedisAddress } from './redis-address.ts';

const nobody = { username: null, password: null };

test('a URL of one server is left to the client', () => {
  const url = 'rediss://user:pw@redis.example:6380/3';
  expect(parseRedisAddress(url)).toEqual({ kind: 'single', url });
});

test('Sentinel: a login of the servers, one of the sentinels, the master and a database', () => {
  expect(
    parseRedisAddress(
      'rediss+sentinel://app:p%40%3A@s1:26380,[fd00::1],s2.example/my%20master/2?sentinelUsername=watch&sentinelPassword=a%26b=',
    ),
  ).toEqual({
    kind: 'sentinel',
    tls: true,
    nodes: [
      { host: 's1', port: 26_380 },
      { host: 'fd00::1', port: 26_379 },
      { host: 's2.example', port: 26_379 },
    ],
    login: { username: 'app', password: 'p@:' },
    master: 'my master',
    database: 2,
    sentinelLogin: { username: 'watch', password: 'a&b=' },
  });
});

test('Sentinel without passwords', () => {
  expect(parseRedisAddress('redis+sentinel://s1,s2:5000/main')).toMatchObject({
    tls: false,
    database: 0,
    login: nobody,
    sentinelLogin: nobody,
  });
});

test.each(['', '/', '/0'])('a cluster, with the path %j', (path) => {
  expect(parseRedisAddress(`redis+cluster://:p:w@n1,10.0.0.2:7000${path}`)).toEqual({
    kind: 'cluster',
    tls: false,
    nodes: [
      { host: 'n1', port: 6_379 },
      { host: '10.0.0.2', port: 7_000 },
    ],
    login: { username: null, password: 'p:w' },
  });
});

test.each([
  ['http://redis', 'start with'],
  ['redis+cluster:n1', 'start with'],
  ['redis+sentinels://s1/main', 'start with'],
  ['redis://host:notaport', 'no valid URL'],
  ['redis+sentinel://s1', 'name the master'],
  ['redis+sentinel://s1/', 'name the master'],
  ['redis+sentinel:///main', 'host:port'],
  ['redis+sentinel://s1,,s2/main', 'host:port'],
  ['redis+sentinel://s1:0/main', 'host:port'],
  ['redis+sentinel://s1:99999/main', 'host:port'],
  ['redis+sentinel://s1/main/x', 'database'],
  ['redis+sentinel://s1/main/1/2', 'database'],
  ['redis+sentinel://s1/main?password=topsecret', 'query'],
  ['redis+sentinel://:topsecret%@s1/main', '%25'],
  ['redis+cluster://:topsecret@n1/1', 'database 0'],
  ['redis+cluster://n1?sentinelPassword=topsecret', 'no query'],
  ['redis+cluster://:topsecret@', 'host:port'],
  ['redis+cluster://:top@secret@n1', 'host:port'],
])('%s is refused, and the fault shows no part of it', (text, hint) => {
  const address = parseRedisAddress(text);
  expect(address).toEqual({ fault: expect.stringContaining(hint) });
  expect(JSON.stringify(address)).not.toMatch(/secret/);
});
