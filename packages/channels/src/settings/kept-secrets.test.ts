import { httpSms } from '../http-sms/http-sms.ts';
import type { HttpSmsSettings } from '../http-sms/settings/settings.ts';
import { adapters } from '../registry.ts';
import { movedSecrets } from './kept-secrets.ts';
import { checkSettings, mask, mergeSettings } from './settings.ts';

const url = 'https://gw.example/send';
const kannel: HttpSmsSettings = { profile: 'kannel', url, username: 'u', password: 'kept' };
const bearer: HttpSmsSettings = {
  url,
  headers: { Authorization: 'Bearer {{secret.token}}' },
  secrets: { token: 'kept' },
  body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
};
const inQuery: HttpSmsSettings = {
  url: `${url}?key={{secret.token}}`,
  verifyUrl: 'https://balance.example/?key={{secret.token}}',
  secrets: { token: 'kept', other: 'kept' },
  body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}', sig: '{{secret.other}}' } },
};
const inPath: HttpSmsSettings = {
  url: 'https://gw.example/bot{{secret.token}}/send',
  secrets: { token: 'kept' },
  body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
};
const json = (template: string): HttpSmsSettings => ({
  url,
  secrets: { token: 'kept' },
  body: { type: 'json', template },
});
const keyed = json('{"key":"{{secret.token}}","to":"{{to}}","text":"{{text}}","of":{{parts}}}');

/** The secrets that a patch has to have anew. */
function asked(old: HttpSmsSettings, patch: object): string[] {
  const settings = mergeSettings(httpSms, old, patch) as HttpSmsSettings;
  expect(checkSettings(httpSms, settings)).toEqual([]);
  return movedSecrets(httpSms, { old, patch, settings }).map(({ at }) => at);
}

test.each([
  ['another host', kannel, { url: 'https://evil.example/send' }, '/password'],
  ['another host, with the mask', kannel, { url: 'https://evil.example/', password: mask }, '/password'],
  ['another port', kannel, { url: 'https://gw.example:8443/send' }, '/password'],
  ['another scheme', kannel, { url: 'http://gw.example/send' }, '/password'],
  ['another host for headers', bearer, { url: 'https://evil.example/send' }, '/secrets/token'],
  ['a first address of verification', bearer, { verifyUrl: 'https://evil.example/' }, '/secrets/token'],
  [
    'another such address',
    inQuery,
    { verifyUrl: 'https://evil.example/?key={{secret.token}}' },
    '/secrets/token',
  ],
  ['another header', bearer, { headers: { 'X-To': '{{secret.token}}' } }, '/secrets/token'],
  ['a second place', bearer, { body: { fields: { sender: '{{secret.token}}' } } }, '/secrets/token'],
  [
    'the text itself',
    bearer,
    { body: { fields: { text: '{{text}} {{ secret.token }}' } } },
    '/secrets/token',
  ],
  ['a parameter', bearer, { url: `${url}?ref={{secret.token}}` }, '/secrets/token'],
  ['the path', bearer, { url: `${url}/{{secret.token}}` }, '/secrets/token'],
  ['another path around it', inPath, { url: 'https://gw.example/echo/{{secret.token}}' }, '/secrets/token'],
  ['a parameter of another name', inQuery, { url: `${url}?echo={{secret.token}}` }, '/secrets/token'],
  [
    'the place of another secret',
    inQuery,
    { body: { fields: { sig: '{{secret.token}}' } } },
    '/secrets/token',
  ],
  [
    'other words around it',
    bearer,
    { headers: { Authorization: 'see //evil/{{secret.token}}' } },
    '/secrets/token',
  ],
  ['a form instead of a query', inQuery, { body: { type: 'form' } }, '/secrets/other'],
  [
    'another JSON field',
    keyed,
    json('{"text":"{{secret.token}}","to":"{{to}}","m":"{{text}}","of":{{parts}}}'),
    '/secrets/token',
  ],
  [
    'a JSON value that another one of its name hides',
    keyed,
    json('{"to":"{{secret.token}}","key":"","to":"{{to}}","text":"{{text}}"}'),
    '/secrets/token',
  ],
  [
    'a JSON name beside an escaped decoy',
    keyed,
    json('{"key":"\\u007b\\u007bsecret.token}}","{{secret.token}}":"x","to":"{{to}}","text":"{{text}}"}'),
    '/secrets/token',
  ],
  ['a JSON name', keyed, json('{"{{secret.token}}":"","to":"{{to}}","text":"{{text}}"}'), '/secrets/token'],
] as const)('%s asks for the secret again', (_, old, patch, at) => {
  const { secrets: _secrets, ...rest } = patch as HttpSmsSettings;
  expect(asked(old, rest)).toEqual([at]);
});

test('several secrets are named', () => {
  const moved = {
    url: 'https://evil.example/?key={{secret.token}}',
    verifyUrl: null,
  };
  expect(asked(inQuery, moved)).toEqual(['/secrets/token', '/secrets/other']);
});

test.each([
  ['the secret is entered', kannel, { url: 'https://new.example/', password: 'entered' }],
  ['the same secret is entered', kannel, { url: 'https://new.example/', password: 'kept' }],
  ['a secret of a map is entered', bearer, { url: 'https://new.example/', secrets: { token: 'entered' } }],
  ['it has no secret', { ...bearer, headers: {}, secrets: {} }, { url: 'https://new.example/' }],
  ['no request has the secret', { ...bearer, headers: {} }, { url: 'https://new.example/' }],
  ['only the path changes', bearer, { url: 'https://gw.example/v2/send?to={{to}}' }],
  ['the port is the one of the scheme', bearer, { url: 'HTTPS://GW.example:443/send' }],
  ['something else changes', bearer, { from: 'Shop', headers: { 'X-Other': 'a' }, secrets: { token: mask } }],
  ['a placeholder gets blanks', bearer, { headers: { Authorization: 'Bearer {{ secret.token }}' } }],
  [
    'a header changes its case',
    bearer,
    { headers: { Authorization: null, authorization: 'Bearer {{secret.token}}' } },
  ],
  [
    'another part of the JSON changes',
    keyed,
    { body: json('{"of":{{parts}},"n":1,"text":"{{text}}","to":"{{to}}","key":"{{secret.token}}"}').body },
  ],
  [
    'the lifetime is added as a number',
    keyed,
    { body: json('{"key":"{{secret.token}}","to":"{{to}}","text":"{{text}}","v":{{ttl_minutes}}}').body },
  ],
  ['the address of verification is left out', inQuery, { verifyUrl: null }],
  ['both addresses are of one host', bearer, { verifyUrl: 'https://gw.example/balance' }],
] as const)('a stored secret stays if %s', (_, old, patch) => {
  expect(asked(old as HttpSmsSettings, patch)).toEqual([]);
});

test('a secret that went nowhere is asked for when it is first put into a request', () => {
  const hidden = mergeSettings(httpSms, bearer, { headers: null }) as HttpSmsSettings;
  expect(asked(hidden, { headers: bearer.headers })).toEqual(['/secrets/token']);
});

test('every provider whose settings hold an address says where its secrets go', () => {
  const without = [...adapters.values()].filter(
    (adapter) => 'addresses' in adapter && !('secretPlaces' in adapter),
  );
  expect(without).toEqual([]);
});
