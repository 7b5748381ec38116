import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { apiError, ApiError, ConfigurationError } from './errors.ts';
import { Notify } from './notify.ts';
import { version } from './transport/transport.ts';

const baseUrl = 'https://notify.example';
const saved = { ...process.env };
afterEach(() => {
  for (const name of ['NOTIFY_URL', 'NOTIFY_API_KEY', 'NOTIFY_TOKEN']) delete process.env[name];
  Object.assign(process.env, saved);
});

const read = (file: string) => readFile(path.resolve(import.meta.dirname, file), 'utf8');

test('without a base URL the error says how to give one', () => {
  expect(() => new Notify()).toThrow(ConfigurationError);
  expect(() => new Notify()).toThrow('set NOTIFY_URL');
  for (const wrong of ['localhost:3000', 'ftp://notify.example', 'https://notify.example?a=b'])
    expect(() => new Notify({ baseUrl: wrong })).toThrow('not an http(s) URL');
});

test('the environment gives what the options do not', async () => {
  Object.assign(process.env, {
    NOTIFY_URL: `${baseUrl}/`,
    NOTIFY_API_KEY: 'svc_live_a',
    NOTIFY_TOKEN: 'svc_tok_a',
  });
  const sent: string[] = [];
  const notify = new Notify({
    token: 'svc_tok_b',
    fetch: async (url, { headers }) => {
      const { 'x-api-key': key, authorization } = headers as Record<string, string>;
      sent.push(`${url} ${key ?? authorization}`);
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    },
  });
  await notify.messages.get('msg_1');
  await notify.webhooks.get('wh_1');
  expect(sent).toEqual([
    `${baseUrl}/v1/notify/messages/msg_1 svc_live_a`,
    `${baseUrl}/v1/webhooks/wh_1 Bearer svc_tok_b`,
  ]);
});

test('a key and a token that are interchanged are refused at once', () => {
  expect(() => new Notify({ baseUrl, apiKey: 'svc_tok_a' })).toThrow('give it as `token`');
  expect(() => new Notify({ baseUrl, token: 'svc_live_a' })).toThrow('give it as `apiKey`');
});

test('a missing credential is named with its scope', async () => {
  const byToken = new Notify({ baseUrl, token: 'svc_tok_a' });
  await expect(byToken.messages.sendText('sms', { to: '+15550001000', text: 'Hello' })).rejects.toThrow(
    'messages.sendText needs an API key with the scope send: give `apiKey`, or set NOTIFY_API_KEY. A token does not work there',
  );
  const byKey = new Notify({ baseUrl, apiKey: 'svc_live_a' });
  await expect(byKey.webhooks.list()).rejects.toThrow(
    'webhooks.list needs a service token with the scope webhooks:read: give `token`, or set NOTIFY_TOKEN. An API key works on messages.* and verifications.* only.',
  );
  await expect(byToken.serviceTokens.list()).rejects.toThrow('serviceTokens.list needs an access token');
});

test('an id that would lead elsewhere is refused', async () => {
  const notify = new Notify({ baseUrl, token: 'svc_tok_a' });
  for (const id of ['', '.', '..', undefined as unknown as string])
    await expect(notify.webhooks.delete(id)).rejects.toThrow('`id` must be a text that is not empty');
});

test('every code of the document has a class of its own kind', async () => {
  const document = JSON.parse(await read('../../../openapi.json')) as {
    components: { schemas: { ProblemCode: { enum: never[] } } };
  };
  const codes = document.components.schemas.ProblemCode.enum;
  expect(codes.length).toBeGreaterThan(25);
  for (const code of codes) {
    const error = apiError({ code, status: 400, title: 'A title' });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.constructor).not.toBe(ApiError);
    expect(error.name).toBe(error.constructor.name);
  }
});

test('an error of the service reads well', () => {
  const errors = [{ at: 'body/to', message: 'is required' }];
  const error = apiError({ code: 'invalid-request', status: 422, title: 'The request is invalid', errors });
  expect(String(error)).toBe(
    'InvalidRequestError: The request is invalid: body/to is required (invalid-request, HTTP 422)',
  );
});

test('the version in requests is that of the manifest', async () => {
  expect(JSON.parse(await read('../package.json'))).toMatchObject({ version });
});
