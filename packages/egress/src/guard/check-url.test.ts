import { checkUrl } from './check-url.ts';
import { createGuard } from './guard.ts';

const strict = { allowPrivate: false, allow: [] };

test.each([
  'https://example.com/hook',
  'https://example.com:8443/a?b=c#d',
  'https://8.8.8.8/',
  'https://[2606:4700::1]/',
])('a webhook may be at %s', (url) => {
  expect(checkUrl(url, strict)).toBeNull();
});

test.each([
  ['not a url', 'not a URL'],
  ['/relative', 'not a URL'],
  ['ftp://example.com/', 'http or https'],
  ['file:///etc/passwd', 'http or https'],
  ['javascript:alert(1)', 'http or https'],
  ['http://example.com/', 'must be https'],
  ['https://user@example.com/', 'user name'],
  ['https://:secret@example.com/', 'user name'],
  ['https://example.com:0/', 'port 0'],
])('%s is refused: %s', (url, why) => {
  expect(checkUrl(url, strict)).toContain(why);
});

// Every spelling of 127.0.0.1 and similar hosts that the URL standard reads as an address.
test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:ffff:7f00:0001]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/machine',
])('%s is not public', (url) => {
  expect(checkUrl(url, strict)).toContain('not a public address');
});

test('development allows http, loopback and private networks, but not the metadata address', () => {
  const rules = { allowPrivate: true, allow: [] };
  for (const url of [
    'http://localhost:4000/',
    'http://127.0.0.1/',
    'https://[::1]:1/',
    'http://192.168.1.1/',
    'http://a.example/',
  ])
    expect([url, checkUrl(url, rules)]).toEqual([url, null]);
  expect(checkUrl('http://169.254.169.254/', rules)).toContain('not a public address');
  expect(checkUrl('http://a:b@127.0.0.1/', rules)).toContain('user name');
});

test('an exception opens one port of a block or host only, for http too', () => {
  const rules = {
    allowPrivate: false,
    allow: ['10.0.0.0/8:8080', '[fd00::/8]:8080', 'gw.local:13013', '127.0.0.1:9000'],
  };
  for (const url of [
    'http://10.1.2.3:8080/',
    'http://[fd00::7]:8080/',
    'http://GW.local:13013/',
    'http://127.0.0.1:9000/',
  ])
    expect([url, checkUrl(url, rules)]).toEqual([url, null]);
  for (const url of [
    'http://10.1.2.3:8081/',
    'http://11.1.2.3:8080/',
    'http://gw.local/',
    'http://127.0.0.2:9000/',
  ])
    expect([url, checkUrl(url, rules)]).not.toEqual([url, null]);
});

test('plain http is allowed if the rules ask for it', () => {
  expect(checkUrl('http://example.com/', { ...strict, plainHttp: true })).toBeNull();
  expect(checkUrl('http://127.0.0.1/', { ...strict, plainHttp: true })).toContain('not a public address');
});

test.each([
  '10.0.0.0/8',
  'gw.local',
  '10.0.0.0/33:80',
  ':80',
  'gw.local:0',
  'gw.local:70000',
  'gw.local:http',
])('an exception that cannot be read (%p) is an error at the start', (entry) => {
  expect(() => createGuard({ allowPrivate: false, allow: [entry] })).toThrow(
    /not an address block|prefix|must be/,
  );
});

test('one bad address among good ones refuses the name', () => {
  const guard = createGuard(strict);
  expect(guard.judgeAddresses('a.example', 443, ['8.8.8.8', '2606:4700::1'])).toBeNull();
  const refusal = 'a.example is not a public address';
  expect(guard.judgeAddresses('a.example', 443, ['8.8.8.8', '127.0.0.1'])).toBe(refusal);
  expect(guard.judgeAddresses('a.example', 443, ['2606:4700::1', '::ffff:10.0.0.1'])).toBe(refusal);
});
