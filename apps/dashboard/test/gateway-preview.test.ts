import { adapters } from '@notify/channels';
import { gatewayProfiles } from '../src/api/gateway-profiles.ts';
import { presets } from '../src/views/channels/gateway/presets.ts';
import { addressOf, asHttp, example, previewOf } from '../src/views/channels/gateway/preview.ts';

const url = 'https://gateway.example/send?v=1';
const callbackUrl = 'https://notify.example/callbacks/http-sms/1/s?x=1';
const gateway = [...adapters.values()].find(({ id }) => id === 'http-sms')!;

/** What the adapter asks of the gateway for the example. */
async function requested(settings: object): Promise<object> {
  const asked: object[] = [];
  const http = {
    request: async ({ method, url: at, headers, body = null }: Record<string, unknown>) => {
      asked.push({ method, url: at, headers, body });
      return { ok: true, status: 200, headers: {}, body: Buffer.alloc(0), truncated: false, durationMs: 1 };
    },
    close: async () => undefined,
  };
  const request = {
    messageId: example.id,
    to: example.to,
    type: 'text',
    body: { text: example.text },
    part: 0,
    parts: 1,
    text: null,
    media: null,
    attempt: 1,
    throttles: 0,
    lifetimeMs: example.lifetimeSeconds * 1_000,
    callbackUrl,
  };
  const context = { settings, http, baseUrl: '', signal: new AbortController().signal };
  await gateway.send(request as never, context as never);
  return asked[0]!;
}

test.each(presets)('the preview of “$label” is what is sent', async ({ settings }) => {
  const secrets = Object.fromEntries(Object.keys(settings['secrets'] ?? {}).map((name) => [name, '••••']));
  const profile = gatewayProfiles[String(settings['profile'])];
  const secret = new Set(['password', 'apiKey', 'signingKey']);
  const ofProfile = (profile?.settings ?? []).map((name) => [name, secret.has(name) ? '••••' : `a ${name}`]);
  const own = profile === undefined ? { secrets } : Object.fromEntries(ofProfile);
  for (const from of ['Shop & Söhne', undefined]) {
    const address =
      profile === undefined || settings['profile'] === 'kannel' ? url : 'https://gateway.example/v1/';
    const whole = { ...settings, ...own, url: address, ...(from === undefined ? {} : { from }) };
    const sent = (await requested(whole)) as { url: string; body: string | null };
    // Secrets are shown as dots, which are not encoded.
    const pairs = ['a username', 'a accountId'].map((name) => Buffer.from(`${name}:••••`).toString('base64'));
    const shown = [encodeURIComponent('••••'), ...pairs].reduce(
      (text, secret) => text.replaceAll(secret, '••••'),
      JSON.stringify(sent),
    );
    expect(withSameTime(previewOf(whole, callbackUrl))).toEqual(withSameTime(JSON.parse(shown) as object));
  }
});

/** The lifetime of a message may end in another second than that of its preview. */
function withSameTime(request: object): object {
  return JSON.parse(JSON.stringify(request).replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, 'later')) as object;
}

test('a profile with its usual address has a preview without one', () => {
  const settings = { profile: 'telnyx', apiKey: '••••' };
  expect(previewOf(settings, callbackUrl)).toMatchObject({
    url: 'https://api.telnyx.com/v2/messages',
    headers: { Authorization: 'Bearer ••••' },
  });
  expect(addressOf({ profile: 'infobip' })).toBe('');
});

test('the preview has the lifetime within the limits of the gateway', async () => {
  const template =
    '{"to":"{{to}}","text":"{{text}}","s":{{ttl_seconds}},"m":{{ttl_minutes}},"ms":{{ttl_ms}}}';
  for (const lifetime of [undefined, { minSeconds: 1_200 }, { maxSeconds: 300 }]) {
    const settings = { url, body: { type: 'json', template }, lifetime };
    expect(previewOf(settings, callbackUrl)).toEqual(await requested(settings));
  }
});

test('a preview is written as HTTP', () => {
  expect(asHttp({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{}' })).toBe(
    `POST ${url}\ncontent-type: application/json\n\n{}`,
  );
});
