import {
  type GatewayName,
  gatewayProtocols,
  type ProfileGateway,
  type Received,
  type Receiver,
  startProfileGateway,
  startReceiver,
} from '@notify/testkit';
import { adapters, type CallbackResult, checkSettings } from '../src/index.ts';
import { profileNames } from '../src/http-sms/gateways/profile-names.ts';
import { sendRequest } from './conformance/conformance.ts';
import { type Line, openLine, statusesOf } from './peers.ts';

const { messageId } = sendRequest();
const names = Object.keys(gatewayProtocols) as GatewayName[];
const withoutLifetime: ReadonlySet<GatewayName> = new Set(['telnyx', 'plivo', 'africastalking']);
const withoutSignature: ReadonlySet<GatewayName> = new Set(['africastalking']);

test('every profile but Kannel, which runs itself, has its gateway here', () => {
  expect(['kannel', ...names].toSorted()).toEqual(profileNames.toSorted());
});

describe.each(names)('%s', (name) => {
  let receiver: Receiver;
  let gateway: ProfileGateway;
  let line: Line;
  beforeEach(async () => {
    receiver = await startReceiver();
    gateway = await startProfileGateway(name);
    gateway.setCallback(`${receiver.url}/callbacks/p/a/s`);
    line = openLine('http-sms', '', gateway.settings, receiver);
  });
  afterEach(async () => {
    await line[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    await receiver.close();
  });

  /** What arrived last, and what the adapter makes of it. */
  const last = (): Received => receiver.received.at(-1)!;
  const read = (received: Received): CallbackResult => line.read(received);

  test('a text goes out with every character, and its receipts name the message', async () => {
    const text = 'Grüße & 100 % für "Ω" {{to}} 😀\n#ttl_seconds';
    expect(await line.send({ body: { text } })).toMatchObject({ kind: 'accepted' });
    const [entry] = gateway.ledger();
    expect(entry).toMatchObject({ to: expect.stringMatching(/^\+?4915112345678$/), text });
    for (const [told, status] of [
      ['sent', 'sent'],
      ['delivered', 'delivered'],
      ['failed', 'failed'],
    ] as const) {
      await gateway.report(entry!.externalId, told);
      const result = read(last());
      // Infobip tells no more than that a message is pending.
      const expected = name === 'infobip' && told === 'sent' ? [] : [status];
      expect(statusesOf(result)).toEqual(expected);
      const [receipt] = result.kind === 'receipts' ? result.receipts : [];
      if (receipt === undefined) continue;
      const isOurs = receipt.messageId === messageId;
      expect(isOurs || receipt.externalId === entry!.externalId).toBe(true);
      expect(receipt.errorCode).toBe(told === 'failed' ? 'undelivered' : undefined);
    }
  });

  test('the answer has the id of the gateway, if its receipts need it', async () => {
    const outcome = await line.send();
    expect(outcome).toEqual({
      kind: 'accepted',
      externalId: name === 'smsgate' ? null : gateway.ledger()[0]!.externalId,
    });
  });

  test('a lifetime is never longer than that of the message', async () => {
    await line.send({ lifetimeMs: 599_500 });
    const { lifetimeSeconds } = gateway.ledger()[0]!;
    expect(lifetimeSeconds === null).toBe(withoutLifetime.has(name));
    expect(lifetimeSeconds ?? 0).toBeLessThan(600);
  });

  test('without a public address no receipts are asked for', async () => {
    expect(await line.send({ callbackUrl: null })).toMatchObject({ kind: 'accepted' });
    expect(gateway.ledger()[0]).toMatchObject({ reportUrl: null });
  });

  test('what a person writes is read, and is the same when it comes again', async () => {
    const text = 'Grüße 😀 & "Ω"';
    for (const id of ['in-1', 'in-1', 'in-2']) await gateway.write({ id, from: '+4915112345678', text });
    const messages = receiver.received.flatMap((each) => line.readInbound(each));
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatchObject({ from: '+4915112345678', type: 'text', body: { text } });
    expect(messages.map(({ externalId }) => externalId)).toEqual(['in-1', 'in-1', 'in-2']);
    expect(messages[0]!.sentAt).toEqual(name === 'plivo' ? null : new Date('2026-02-01T08:00:00Z'));
  });

  test('a callback without its signature, or with another, is forged', async () => {
    await line.send();
    await gateway.report(gateway.ledger()[0]!.externalId, 'delivered');
    const callback = last();
    const { 'content-type': type } = callback.headers;
    expect(read(callback).kind).toBe('receipts');
    const unsigned = read({ ...callback, headers: { 'content-type': type } });
    expect(unsigned.kind).toBe(withoutSignature.has(name) ? 'receipts' : 'forged');
    for (const [header, value] of Object.entries(callback.headers)) {
      if (!/signature(?!-algorithm)|timestamp|authorization/.test(header)) continue;
      const other = `${String(value).slice(0, -4)}${String(value).endsWith('1111') ? '2222' : '1111'}`;
      expect(read({ ...callback, headers: { ...callback.headers, [header]: other } }).kind).toBe('forged');
    }
  });

  test('the probe tells right credentials from wrong ones, and a send with wrong ones breaks the account', async () => {
    expect(await line.verify()).toMatchObject({ ok: true });
    await using stranger = openLine('http-sms', '', gateway.wrongSettings, receiver);
    expect(await stranger.verify()).toMatchObject({ ok: false, refused: true });
    expect(await stranger.send()).toMatchObject({ kind: 'connection-broken' });
    expect(gateway.ledger()).toEqual([]);
  });

  test('its settings need no address but Infobip’s, and name what is missing', () => {
    const adapter = adapters.get('http-sms')!;
    const { url: _, ...settings } = gateway.settings;
    const faults = checkSettings(adapter, settings);
    expect(faults).toEqual(name === 'infobip' ? [{ at: '/url', message: 'is required' }] : []);
    const missing = checkSettings(adapter, { profile: name, url: 'https://gw.example' });
    expect(missing).not.toEqual([]);
    for (const { message } of missing) expect(message).toBe(`is required with profile ${name}`);
    expect(checkSettings(adapter, { ...gateway.settings, url: 'https://gw.example/?a=1' })).toEqual([
      { at: '/url', message: `must not have a query with profile ${name}` },
    ]);
  });
});

test.each([
  [
    'telnyx',
    403,
    { errors: [{ code: '40300', title: 'Blocked due to STOP message' }] },
    'recipient-opted-out',
  ],
  ['telnyx', 400, { errors: [{ code: '40310', title: "Invalid 'to' address" }] }, 'recipient-rejected'],
  ['telnyx', 400, { errors: [{ code: '40305', title: "Invalid 'from' address" }] }, 'sender-rejected'],
  [
    'infobip',
    200,
    { messages: [{ messageId: 'x', status: { groupName: 'REJECTED' } }] },
    'provider-rejected',
  ],
  ['africastalking', 201, recipient(403, 'InvalidPhoneNumber'), 'recipient-rejected'],
  ['africastalking', 201, recipient(402, 'InvalidSenderId'), 'sender-rejected'],
  ['africastalking', 201, recipient(406, 'UserInBlacklist'), 'recipient-opted-out'],
  ['africastalking', 201, recipient(407, 'CouldNotRoute'), 'provider-rejected'],
  ['plivo', 400, { error: 'invalid dst' }, 'provider-rejected'],
] as const)('%s %d %j: %s', async (name, status, body, errorCode) => {
  expect(await refused(name, status, body)).toMatchObject({ kind: 'rejected', errorCode });
});

test.each([
  ['africastalking', 201, recipient(405, 'InsufficientBalance'), { kind: 'connection-broken' }],
  ['africastalking', 201, recipient(500, 'InternalServerError'), { kind: 'retry' }],
  ['telnyx', 429, {}, { kind: 'throttled' }],
  // It has a message with our id: an earlier request arrived.
  ['smsgate', 409, { message: 'message already exists' }, { kind: 'accepted', externalId: null }],
  ['smsgate', 503, { message: 'queue limit exceeded' }, { kind: 'retry' }],
] as const)('%s %d %j: %j', async (name, status, body, expected) => {
  expect(await refused(name, status, body)).toMatchObject(expected);
});

async function refused(name: GatewayName, status: number, body: unknown) {
  const receiver = await startReceiver();
  await using gateway = await startProfileGateway(name);
  await using line = openLine('http-sms', '', gateway.settings, receiver);
  gateway.refuse({ status, body });
  const outcome = await line.send();
  await receiver.close();
  return outcome;
}

function recipient(statusCode: number, status: string) {
  const Recipients = [{ statusCode, status, number: '+254711000000', cost: '0', messageId: 'None' }];
  return { SMSMessageData: { Message: 'Sent to 0/1 Total Cost: 0', Recipients } };
}
