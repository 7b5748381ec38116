import { adapters, checkSettings } from '@notify/channels';
import { randomUUID } from 'node:crypto';

const url = 'https://gateway.example/send';
const texts = ['€', '😀', '\u0001', '"', 'x'].map((character) => character.repeat(4_096));

/** Settings with so many placeholders, in each place that a template may be in. */
const amplifying = [
  (count: number) => ({
    url,
    body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}'.repeat(count) } },
  }),
  (count: number) => ({ url, body: { type: 'json', template: `"{{to}}${'{{text}}'.repeat(count)}"` } }),
  (count: number) => ({ url, body: { type: 'text', template: `{{to}}${'{{text}}'.repeat(count)}` } }),
  (count: number) => ({ url: `${url}?to={{to}}&text=${'{{text}}'.repeat(count)}` }),
  (count: number) => ({ url: `${url}?{{to}}`, headers: { 'X-Text': '{{text}}'.repeat(count) } }),
  (count: number) => ({
    url: `${url}?{{to}}{{text}}`,
    headers: { 'X-Text': '{{secret.a}}'.repeat(count) },
    secrets: { a: '€'.repeat(1_300) },
  }),
];

/** The bytes of the largest request that settings which can be stored make of a message, over all places and texts. */
export async function largestRequest(): Promise<number> {
  const adapter = adapters.get('http-sms')!;
  let largest = 0;
  for (const settingsWith of amplifying) {
    let count = 1;
    while (checkSettings(adapter, settingsWith(count + 1)).length === 0) count += 1;
    for (const text of texts) {
      const request = async (sent: { url: string; headers?: object; body?: object | string }) => {
        const parts = [
          sent.url,
          JSON.stringify(sent.headers ?? {}),
          typeof sent.body === 'string' ? sent.body : '',
        ];
        largest = Math.max(largest, Buffer.byteLength(parts.join('')));
        return { ok: false, error: 'refused', text: '', written: false, durationMs: 0 } as const;
      };
      const http = {
        request,
        stream: () => Promise.reject(new Error('not used')),
        close: () => Promise.resolve(),
      };
      const message = {
        messageId: randomUUID(),
        to: '+4915112345678',
        type: 'text',
        body: { text },
        part: 0,
        parts: 1,
        lifetimeMs: 3_600_000,
        text,
        media: null,
        attempt: 1,
        throttles: 0,
        replyTo: null,
        threadId: null,
        callbackUrl: null,
      } as const;
      const context = {
        settings: settingsWith(count),
        http,
        baseUrl: '',
        signal: AbortSignal.timeout(60_000),
      };
      await adapter.send(message, context);
    }
  }
  return largest;
}
