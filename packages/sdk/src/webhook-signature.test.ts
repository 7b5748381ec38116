import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { webhooks, WebhookVerificationError } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const older = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const body = JSON.stringify({ id: 'evt_1', event: 'message.sent', to: 'Zoë' });
const now = new Date('2026-01-31T09:30:00.700Z');

const headersOf = (key = secret, at = now) => webhooks.sign(body, key, { now: at });

test('a webhook is verified, and its event is typed', async () => {
  const event = await webhooks.verify(body, await headersOf(), secret, { now });
  expect(event).toEqual(JSON.parse(body));
});

test('a batch is verified as a whole, and a single event is a batch of one', async () => {
  const batch = { id: 'bat_1', events: [JSON.parse(body), { id: 'evt_2', event: 'message.read' }] };
  const text = JSON.stringify(batch);
  const headers = await webhooks.sign(text, secret, { now });
  expect(headers['webhook-id']).toBe('bat_1');
  await expect(webhooks.verifyBatch(text, headers, secret, { now })).resolves.toEqual(batch);
  await expect(webhooks.verifyBatch(body, await headersOf(), secret, { now })).resolves.toEqual({
    id: 'evt_1',
    events: [JSON.parse(body)],
  });
  const changed = text.replace('message.read', 'message.sent');
  expect(await reasonOf(webhooks.verifyBatch(changed, headers, secret, { now }))).toBe(
    'no-matching-signature',
  );
});

test('what standardwebhooks signs is verified, and the reverse', async () => {
  const at = new Date();
  const peer = new Webhook(secret);
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': peer.sign('evt_1', at, body),
  };
  await expect(webhooks.verify(body, headers, secret)).resolves.toEqual(JSON.parse(body));
  expect(peer.verify(body, await webhooks.sign(body, secret))).toEqual(JSON.parse(body));
});

test('the body may be text or bytes, and the headers may come in any form', async () => {
  const headers = await headersOf();
  const bytes = new TextEncoder().encode(body);
  const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  for (const one of [body, bytes, within, Buffer.from(body), bytes.buffer])
    await expect(webhooks.verify(one, headers, secret, { now })).resolves.toMatchObject({ id: 'evt_1' });
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const one of [new Headers(headers), upper])
    await expect(webhooks.verify(body, one, secret, { now })).resolves.toMatchObject({ id: 'evt_1' });
});

test('one of several signatures and one of several secrets is enough', async () => {
  const headers = await headersOf();
  const other = (await headersOf(older))['webhook-signature'];
  const both = { ...headers, 'webhook-signature': `v2,abc v1,! ${other} ${headers['webhook-signature']}` };
  await expect(webhooks.verify(body, both, secret, { now })).resolves.toMatchObject({ id: 'evt_1' });
  await expect(webhooks.verify(body, headers, [older, secret], { now })).resolves.toMatchObject({
    id: 'evt_1',
  });
});

async function reasonOf(verification: Promise<unknown>): Promise<string> {
  const error: unknown = await verification.catch((one: unknown) => one);
  return error instanceof WebhookVerificationError ? error.reason : 'verified';
}

test('a refusal says why', async () => {
  const headers = await headersOf();
  const { 'webhook-id': _, ...without } = headers;
  const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000) });
  const cases = {
    'too-old': webhooks.verify(body, headers, secret, at(301)),
    'too-new': webhooks.verify(body, headers, secret, at(-302)),
    'missing-header': webhooks.verify(body, without, secret, { now }),
    'no-matching-signature': webhooks.verify(`${body} `, headers, secret, { now }),
    'invalid-secret': webhooks.verify(body, headers, 'whsec_', { now }),
    'body-parsed': webhooks.verify(JSON.parse(body) as string, headers, secret, { now }),
  };
  for (const [reason, verification] of Object.entries(cases))
    expect(await reasonOf(verification)).toBe(reason);
  expect(await reasonOf(webhooks.verify(body, await headersOf(older), secret, { now }))).toBe(
    'no-matching-signature',
  );
  expect(await reasonOf(webhooks.verify(body, headers, [], { now }))).toBe('no-matching-signature');
  expect(await reasonOf(webhooks.verify(body, { ...headers, 'webhook-id': 'evt_2' }, secret, { now }))).toBe(
    'no-matching-signature',
  );
  expect(await reasonOf(webhooks.verify(body, headers, secret, at(299)))).toBe('verified');
});

test('a time that is no number is refused', async () => {
  const headers = { ...(await headersOf()), 'webhook-timestamp': 'NaN' };
  expect(await reasonOf(webhooks.verify(body, headers, secret, { now }))).toBe('invalid-timestamp');
});

test('a signed body that is no JSON is refused', async () => {
  const headers = await webhooks.sign('hello', secret, { id: 'evt_1', now });
  expect(await reasonOf(webhooks.verify('hello', headers, secret, { now }))).toBe('not-json');
});

test('the signature is HMAC-SHA256 over id, time and body', async () => {
  const headers = await headersOf();
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`evt_1.${headers['webhook-timestamp']}.${body}`);
  expect(headers['webhook-signature']).toBe(`v1,${mac.digest('base64')}`);
});
