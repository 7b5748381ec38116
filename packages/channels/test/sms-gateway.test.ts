import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import { type GatewayAnswer, type SmsGateway, startReceiver, startSmsGateway } from '@notify/testkit';
import { adapters, checkSettings } from '../src/index.ts';
import { sendRequest } from './conformance/conformance.ts';

/* The fake gateway is a peer of many tests: here it is held to what it promises them. */

const httpSms = adapters.get('http-sms');
if (httpSms === undefined) throw new Error('http-sms is not registered');
const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
afterAll(() => http.close());

const send = (
  settings: unknown,
  number: number,
  signal = new AbortController().signal,
  callbackUrl: string | null = null,
) => {
  const messageId = `01912d68-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return httpSms.send(sendRequest({ messageId, callbackUrl }), { settings, http, baseUrl: '', signal });
};
const booked = (gateway: SmsGateway) => gateway.ledger().map(({ asked, taken }) => [asked, taken]);

test('its settings are those of an http-sms account', async () => {
  await using gateway = await startSmsGateway();
  expect(checkSettings(httpSms, gateway.settings)).toEqual([]);
});

test('it books what it takes and reports it', async () => {
  await using gateway = await startSmsGateway();
  const receiver = await startReceiver();
  const callbackUrl = `${receiver.url}/callbacks/secret`;
  expect(await send(gateway.settings, 1, undefined, callbackUrl)).toEqual({
    kind: 'accepted',
    externalId: 'gw-1',
  });
  await gateway.when(([entry]) => entry?.reported === 1);
  const [report] = receiver.received;
  expect(new URL(report?.url ?? '', receiver.url).searchParams.get('status')).toBe('delivered');
  await receiver.close();
});

test.each<[GatewayAnswer, Outcome['kind'], number]>([
  ['take', 'accepted', 1],
  ['take-and-reset', 'unknown', 1],
  ['take-and-cut', 'unknown', 1],
  ['throttle', 'throttled', 0],
  ['fail', 'retry', 0],
  ['reject', 'rejected', 0],
  ['forbid', 'connection-broken', 0],
])('%s once: %s, taken %d times, then taken', async (answer, kind, taken) => {
  await using gateway = await startSmsGateway();
  gateway.behave({ answer, times: 1 });
  const outcome = await send(gateway.settings, 1);
  expect([outcome.kind, booked(gateway)]).toEqual([kind, [[1, taken]]]);
  expect(await send(gateway.settings, 1)).toMatchObject({ kind: 'accepted' });
  expect(booked(gateway)).toEqual([[2, taken + 1]]);
});

test('it can take a message and never answer', async () => {
  await using gateway = await startSmsGateway();
  gateway.behave({ answer: 'take-and-hang' });
  const giveUp = new AbortController();
  const outcome = send(gateway.settings, 1, giveUp.signal);
  await gateway.when((ledger) => ledger.length === 1);
  giveUp.abort();
  expect([(await outcome).kind, booked(gateway)]).toEqual(['unknown', [[1, 1]]]);
});

test('it can refuse connections and come back on the same port', async () => {
  await using gateway = await startSmsGateway();
  await gateway.listen(false);
  expect(await send(gateway.settings, 1)).toMatchObject({ kind: 'retry', errorCode: 'provider-unreachable' });
  await gateway.listen(true);
  expect(await send(gateway.settings, 1)).toMatchObject({ kind: 'accepted' });
});

test('it runs as its own process, told and asked over its control port', async () => {
  const main = fileURLToPath(import.meta.resolve('@notify/testkit/peers/http-sms'));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { settings, controlUrl } = JSON.parse(line) as { settings: unknown; controlUrl: string };
    await fetch(`${controlUrl}/behave`, {
      method: 'POST',
      body: JSON.stringify({ answer: 'fail', times: 1 }),
    });
    expect([(await send(settings, 1)).kind, (await send(settings, 1)).kind]).toEqual(['retry', 'accepted']);
    const ledger = await fetch(`${controlUrl}/ledger`);
    expect(await ledger.json()).toMatchObject([{ asked: 2, taken: 1 }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
