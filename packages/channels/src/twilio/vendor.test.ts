import type { HttpRequest, HttpResult } from '@notify/egress';
import vendor from 'twilio';
import { noStream, sendRequest } from '../../test/conformance/conformance.ts';
import type { SendRequest } from '../adapter/channel.ts';
import type { TwilioSettings } from './settings.ts';
import { twilio } from './twilio.ts';

/* Twilio generates its own client from its OpenAPI description, so Twilio expects the requests that client makes. */

const accountSid = `AC${'0a'.repeat(16)}`;
const messagingServiceSid = `MG${'3f'.repeat(16)}`;
const text = 'Grüße & 100 % für "Ω" + {{to}} 😀';
const { messageId, to } = sendRequest();
const statusCallback = `https://notify.example/callbacks/p/a/s?notify_id=${messageId}`;

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/** What a message holds: our body of it, and the vendor's fields. */
interface Content {
  readonly ours: Partial<SendRequest>;
  readonly theirs: Readonly<Record<string, string>>;
}

const plain: Content = { ours: { body: { text } }, theirs: { body: text } };
const contentSid = `HX${'4a'.repeat(16)}`;
const templated: Content = {
  ours: {
    type: 'template',
    body: { template: { name: contentSid, language: 'en', parameters: { body: [text] } } },
  },
  theirs: { contentSid, contentVariables: JSON.stringify({ '1': text }) },
};

async function askedByUs(settings: TwilioSettings, { ours }: Content): Promise<Asked> {
  const requests: HttpRequest[] = [];
  const answer = { ok: true, status: 201, headers: {}, truncated: false, durationMs: 1 } as const;
  const http = {
    request: async (request: HttpRequest): Promise<HttpResult> => {
      requests.push(request);
      return { ...answer, body: Buffer.from('{"sid":"SM1"}') };
    },
    stream: noStream,
    close: async () => undefined,
  };
  const { signal } = new AbortController();
  await twilio.send(sendRequest(ours), {
    settings,
    http,
    baseUrl: twilio.baseUrl ?? '',
    signal,
  });
  const [request] = requests;
  if (typeof request?.body !== 'string') throw new Error('a form is expected');
  return {
    url: request.url,
    authorization: request.headers?.['authorization'],
    form: Object.fromEntries(new URLSearchParams(request.body)),
  };
}

interface VendorRequest {
  readonly uri: string;
  readonly username?: string;
  readonly password?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

async function askedByThem(
  settings: TwilioSettings,
  { theirs }: Content,
  validityPeriod: number | null,
): Promise<Asked> {
  const requests: VendorRequest[] = [];
  const httpClient = {
    request: async (request: VendorRequest) => {
      requests.push(request);
      return { statusCode: 201, body: { sid: 'SM1' } };
    },
  } as unknown as vendor.RequestClient;
  const { authToken = '', apiKeySid = accountSid, apiKeySecret = authToken } = settings;
  const client = vendor(apiKeySid, apiKeySecret, { accountSid, httpClient });
  await client.messages.create({
    to,
    ...theirs,
    statusCallback,
    ...(settings.from === undefined ? {} : { from: settings.from }),
    ...(settings.messagingServiceSid === undefined ? {} : { messagingServiceSid }),
    ...(validityPeriod === null ? {} : { validityPeriod }),
  });
  const [request] = requests;
  const pair = Buffer.from(`${request?.username}:${request?.password}`).toString('base64');
  const form = Object.entries(request?.data ?? {}).map(([name, value]) => [name, String(value)]);
  return { url: request?.uri ?? '', authorization: `Basic ${pair}`, form: Object.fromEntries(form) };
}

test.each<[string, Partial<TwilioSettings>, Content, number | null]>([
  ['by auth token, from a number', { from: '+15005550006' }, plain, 36_000],
  [
    'by API key',
    { apiKeySid: `SK${'1b'.repeat(16)}`, apiKeySecret: 'key-secret', from: '+15005550006' },
    plain,
    36_000,
  ],
  ['by Messaging Service', { messagingServiceSid }, plain, null],
  ['by Messaging Service, with a validity', { messagingServiceSid, validitySeconds: 600 }, plain, 600],
  ['a template', { from: '+15005550006' }, templated, 36_000],
])('we ask as the vendor does: %s', async (_, changes, content, validity) => {
  const settings = { accountSid, authToken: 'token', ...changes };
  expect(await askedByUs(settings, content)).toEqual(await askedByThem(settings, content, validity));
});
