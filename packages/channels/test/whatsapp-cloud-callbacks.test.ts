import {
  type CloudPeer,
  type CloudStatus,
  type Received,
  startReceiver,
  startWhatsappCloudPeer,
} from '@notify/testkit';
import type { CallbackRequest } from '../src/adapter/channel.ts';
import type { WhatsappCloudSettings } from '../src/whatsapp-cloud/settings.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { sendRequest } from './conformance/conformance.ts';
import { context, id, send, settingsOf } from './whatsapp-cloud-account.ts';

/** Our side of the peer's callbacks: each goes through the adapter, which decides the answer. */
async function subscribed(peer: CloudPeer, changes: Partial<WhatsappCloudSettings> = {}) {
  const receiver = await startReceiver();
  const settings = { ...settingsOf(peer), ...changes };
  const read = (received: Received, tampered: Partial<CallbackRequest> = {}) =>
    whatsappCloud.parseCallback!({ ...callbackOf(received, receiver.url), ...tampered }, settings);
  receiver.behave((received) => {
    const result = read(received);
    if (result.kind === 'forged') return { status: 404 };
    return result.kind === 'malformed' ? { status: 422 } : { status: 200, body: result.answer ?? '' };
  });
  const taken = await peer.subscribe(`${receiver.url}/callbacks/whatsapp-cloud/a/s`, 'phrase');
  const receipts = () =>
    receiver.received.flatMap((received) => {
      const result = read(received);
      return result.kind === 'receipts' ? result.receipts : [];
    });
  return { receiver, read, receipts, taken, [Symbol.asyncDispose]: () => receiver.close() };
}

function callbackOf({ method, url, headers, body }: Received, base: string): CallbackRequest {
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url,
    publicUrl: null,
    query: new URL(url, base).searchParams,
    headers: headers as Record<string, string>,
    body,
    secretMatches: url.startsWith('/callbacks/whatsapp-cloud/a/s?'),
    address: '192.0.2.1',
  };
}

test('the challenge is answered to whoever knows the verify token, or without one the secret in the URL', async () => {
  await using peer = await startWhatsappCloudPeer();
  for (const [verifyToken, expected] of [
    ['phrase', true],
    ['another', false],
    [undefined, true],
  ] as const) {
    await using ours = await subscribed(peer, verifyToken === undefined ? {} : { verifyToken });
    expect(ours.taken).toBe(expected);
    const [first] = ours.receiver.received;
    expect(ours.read(first!, { secretMatches: false }).kind).toBe(
      verifyToken === 'phrase' ? 'receipts' : 'forged',
    );
  }
});

test.each<[readonly (readonly CloudStatus[])[]]>([
  [[['sent'], ['delivered']]],
  [[['sent'], ['read']]],
  [[['read'], ['delivered'], ['sent']]],
  [[['sent', 'delivered', 'read']]],
  [[['delivered'], ['delivered'], ['sent', 'sent']]],
])('reports in callbacks of %j are read as they come, by our id and by theirs', async (reports) => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.behave({ reports });
  const outcome = await send(peer);
  await peer.when(([entry]) => entry?.reported === reports.length);
  const externalId = outcome.kind === 'accepted' ? outcome.externalId : '';
  const account = settingsOf(peer).phoneNumberId;
  expect(ours.receipts()).toEqual(
    reports.flat().map((status) => ({
      messageId: id,
      part: null,
      externalId,
      status,
      account,
      ...(status === 'sent' ? { recipient: '+4915112345678' } : {}),
    })),
  );
});

test('a report comes for a message whose answer never did', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.behave({ answer: 'hang' });
  const ending = new AbortController();
  const outcome = whatsappCloud.send(sendRequest(), { ...context(peer), signal: ending.signal });
  await peer.when(([entry]) => entry?.reported === 2);
  ending.abort();
  expect((await outcome).kind).toBe('unknown');
  expect(ours.receipts()).toMatchObject([
    { messageId: id, status: 'sent' },
    { messageId: id, status: 'delivered' },
  ]);
});

test.each([
  [131026, 'recipient-unreachable'],
  [131053, 'media-rejected'],
  [131000, 'undelivered'],
  [999999, 'undelivered'],
])('a failure reported later, %d, is %s', async (reportedError, errorCode) => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.behave({ reports: [['sent'], ['failed']], reportedError });
  await send(peer);
  await peer.when(([entry]) => entry?.reported === 2);
  const failed = {
    status: 'failed',
    errorCode,
    providerCode: String(reportedError),
    text: expect.any(String),
  };
  expect(ours.receipts()).toMatchObject([{ status: 'sent' }, failed]);
});

test('outside the 24 hours a text is taken and reported failed', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.setWindow('+4915112345678', false);
  expect(await send(peer)).toMatchObject({ kind: 'accepted' });
  await peer.when(([entry]) => entry?.reported === 1);
  expect(ours.receipts()).toMatchObject([
    { status: 'failed', errorCode: 'outside-24h-window', providerCode: '131047' },
  ]);
});

test('a change of a template is read with its reason', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  const changes = () =>
    ours.receiver.received.flatMap((received) => {
      const result = ours.read(received);
      return result.kind === 'receipts' ? (result.templates ?? []) : [];
    });
  expect(await peer.changeTemplate('hello_world', 'APPROVED')).toBe(200);
  const rejection = { reason: 'INVALID_FORMAT', rejection_info: { reason: 'A variable is at the end.' } };
  await peer.changeTemplate('hello_world', 'REJECTED', rejection);
  const pause = { other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' } };
  await peer.changeTemplate('hello_world', 'PAUSED', pause);
  await peer.changeTemplate('hello_world', 'PENDING_DELETION', { reason: null });
  await peer.changeTemplate('hello_world', 'UNARCHIVED');
  const template = { name: 'hello_world', language: 'en_US' };
  expect(changes()).toEqual([
    { ...template, status: 'approved', reason: null },
    { ...template, status: 'rejected', reason: 'INVALID_FORMAT: A variable is at the end.' },
    { ...template, status: 'paused', reason: 'Paused for 3 hours.' },
    { ...template, status: 'disabled', reason: null },
  ]);
  expect(ours.receipts()).toEqual([]);
});

test.each<[string, Partial<WhatsappCloudSettings>]>([
  ['another business account', { businessAccountId: '99999' }],
  ['no business account', {}],
])("a template of a business account that is not the account's is left alone: %s", async (_, changes) => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  await peer.changeTemplate('hello_world', 'PAUSED');
  const callback = ours.receiver.received.at(-1)!;
  const { businessAccountId: __, ...settings } = settingsOf(peer);
  const request = callbackOf(callback, ours.receiver.url);
  expect(whatsappCloud.parseCallback!(request, { ...settings, ...changes })).toEqual({
    kind: 'receipts',
    receipts: [],
  });
});

test('a marketing message that Meta held back later says why', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.behave({ reports: [['failed']], reportedError: 131049 });
  await send(peer);
  await peer.when(([entry]) => entry?.reported === 1);
  const text = expect.stringMatching(/healthy ecosystem engagement.*Do not repeat it soon\.$/);
  expect(ours.receipts()).toMatchObject([{ errorCode: 'marketing-limited', providerCode: '131049', text }]);
});

test('a tampered callback is forged, and so is one signed with another secret or not at all', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  peer.behave({ reports: [['sent']] });
  await send(peer);
  await peer.when(([entry]) => entry?.reported === 1);
  const callback = ours.receiver.received.find(({ method }) => method === 'POST')!;
  const signature = String(callback.headers['x-hub-signature-256']);
  const body = Buffer.concat([callback.body, Buffer.from(' ')]);
  expect(ours.read(callback).kind).toBe('receipts');
  expect(ours.read(callback, { body }).kind).toBe('forged');
  for (const header of [
    undefined,
    '',
    'sha256=',
    signature.slice(7),
    signature.replace('sha256', 'sha1'),
    `${signature}0`,
  ]) {
    expect(ours.read(callback, { headers: { 'x-hub-signature-256': header } }).kind).toBe('forged');
  }
  await using stranger = await subscribed(peer, { appSecret: 'another-secret' });
  expect(await peer.call('{}')).toBe(404);
  expect(stranger.receipts()).toEqual([]);
});

test('what is no status of a message is taken and ignored; what is no JSON is 422', async () => {
  await using peer = await startWhatsappCloudPeer();
  await using ours = await subscribed(peer);
  const value = (statuses: unknown) => ({
    entry: [{ changes: [{ field: 'messages', value: { statuses } }] }],
  });
  const ignored = [
    {},
    [],
    { entry: [null, 1, 'x', {}, { changes: [null, { field: 'account_update', value: { event: 'X' } }] }] },
    {
      entry: [
        {
          changes: [{ field: 'messages' }, { field: 'messages', value: { messages: [{ id: 'wamid.in' }] } }],
        },
      ],
    },
    value([null, {}, { id: 'wamid.1' }, { id: 'wamid.1', status: 'warning' }, { status: 'sent' }]),
  ];
  for (const document of ignored) expect(await peer.call(JSON.stringify(document))).toBe(200);
  expect(ours.receipts()).toEqual([]);
  expect(await peer.call('{')).toBe(422);
  const foreign = [{ id: 'wamid.2', status: 'sent', biz_opaque_callback_data: 'order 17' }];
  expect(await peer.call(JSON.stringify(value(foreign)))).toBe(200);
  expect(ours.receipts()).toEqual([{ messageId: null, part: null, externalId: 'wamid.2', status: 'sent' }]);
});
