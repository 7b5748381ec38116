import { forReading, readDatabaseUrl } from './database-url.ts';

const serversOf = (url: string) => {
  const read = readDatabaseUrl(url);
  return 'fault' in read ? read.fault : read.servers.map(({ host, port }) => [host, port]);
};

test.each([
  ['postgres://u:p@h1:5432,h2:5433/db', ['h1', 5432], ['h2', 5433]],
  ['postgresql://h1,h2', ['h1', 5432], ['h2', 5432]],
  ['postgres://u@[::1]:5433,[fd00::2],10.0.0.1/db', ['::1', 5433], ['fd00::2', 5432], ['10.0.0.1', 5432]],
  ['postgres://u:p@/db?host=h1,h2', ['h1', 5432], ['h2', 5432]],
  ['postgres://u:p@/db?host=h1,h2&port=6432', ['h1', 6432], ['h2', 6432]],
  ['postgres://u:p@/db?host=h1,h2&port=1,2', ['h1', 1], ['h2', 2]],
  ['postgres:///db?host=/run/one,/run/two', ['/run/one', 5432], ['/run/two', 5432]],
  ['postgres://%2Frun%2Fone/db', ['/run/one', 5432]],
  ['postgres://u:p%40w@h1:1/db', ['h1', 1]],
  ['postgres:///db'],
])('%s names its servers in order', (url, ...servers) => {
  expect(serversOf(url)).toEqual(servers);
});

test.each([
  ['mysql://h1,h2/db', 'expected URL that starts with postgres:// or postgresql://'],
  ['postgres://u:p@h1,,h2/db', 'host 2 of the list is empty'],
  ['postgres://u:p@h1,/db', 'host 2 of the list is empty'],
  ['postgres://h1,h2:0/db', 'the port of host 2 of the list is not a number from 1 to 65535'],
  ['postgres://h1:65536,h2/db', 'the port of host 1 of the list is not a number from 1 to 65535'],
  [
    'postgres://h1:x,h2/db',
    'host 1 of the list is not of the form host:port, with an IPv6 address in brackets',
  ],
  [
    'postgres://h1,::1/db',
    'host 2 of the list is not of the form host:port, with an IPv6 address in brackets',
  ],
  [
    'postgres://h1,[::1/db',
    'host 2 of the list is not of the form host:port, with an IPv6 address in brackets',
  ],
  ['postgres://h1,h2,h1:5432/db', 'host 3 of the list is there twice'],
  ['postgres:///db?host=h1,h2,h3&port=1,2', 'the parameters have 3 hosts and 2 ports'],
  ['postgres:///db?host=h1,&port=1', 'host 2 of the list is empty'],
  ['postgres://h1/db?host=h2,h3', 'the hosts are listed before the path and in the parameter host'],
  [
    'postgres://h1,h2/db?target_session_attrs=master',
    'target_session_attrs is not one of any, read-write, read-only, primary, standby, prefer-standby',
  ],
])('%s is refused: %s', (url, fault) => {
  expect(readDatabaseUrl(url)).toEqual({ fault });
});

test('pg gets the URL with the first server alone, and every other parameter', () => {
  expect(
    readDatabaseUrl('postgres://u:p@h1:1,h2:2/db?sslmode=verify-full&target_session_attrs=any'),
  ).toMatchObject({ sessionAttrs: 'any', ofOneServer: 'postgres://u:p@h1:1/db?sslmode=verify-full' });
  expect(readDatabaseUrl('postgres://u:p@/db?host=h1,h2&port=1,2&sslmode=disable')).toMatchObject({
    ofOneServer: 'postgres://u:p@h1:1/db?sslmode=disable',
  });
});

test('a URL with one server stays as it is, and wants a server that writes', () => {
  for (const url of [
    'postgres://u:p@h1:1/db?sslmode=disable',
    'postgres:///db?host=%2Frun%2Fone',
    'postgres://h',
  ])
    expect(readDatabaseUrl(url)).toMatchObject({ sessionAttrs: 'read-write', ofOneServer: url });
});

test('a fault shows nothing of the URL', () => {
  const read = readDatabaseUrl('postgres://u:hidden,hid:den@h1,hidden:den/db');
  expect(JSON.stringify(read)).not.toContain('hid');
});

test('work that only reads takes any server, unless the URL says which', () => {
  expect(forReading('postgres://a,b/db')).toBe('postgres://a,b/db?target_session_attrs=any');
  expect(forReading('postgres://a/db?sslmode=require')).toBe(
    'postgres://a/db?sslmode=require&target_session_attrs=any',
  );
  expect(forReading('postgres://a/db?target_session_attrs=standby')).toBe(
    'postgres://a/db?target_session_attrs=standby',
  );
});
