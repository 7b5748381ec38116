import { adapters } from '@notify/channels';
import { presets } from '../src/views/channels/gateway/presets.ts';
import { asHttp, example, previewOf } from '../src/views/channels/gateway/preview.ts';

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
  const own = settings['profile'] === 'kannel' ? { username: 'shop', password: '••••' } : { secrets };
  const whole = { ...settings, ...own, url, from: 'Shop & Söhne' };
  const sent = (await requested(whole)) as { url: string; body: string | null };
  // Secrets are shown as dots, which are not encoded.
  const shown = JSON.parse(JSON.stringify(sent).replaceAll(encodeURIComponent('••••'), '••••')) as object;
  expect(previewOf(whole, callbackUrl)).toEqual(shown);
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
