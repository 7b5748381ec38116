import type { Channel } from '@notify/core';
import type { SendContext, SendRequest } from '../adapter/channel.ts';
import { sandbox } from './sandbox.ts';

function request(to: string, changes: Partial<SendRequest> = {}): SendRequest {
  return {
    messageId: '01912d68-0000-7000-8000-000000000001',
    to,
    type: 'text',
    body: { text: 'hello' },
    part: 0,
    parts: 1,
    text: null,
    media: null,
    attempt: 1,
    throttles: 0,
    lifetimeMs: 86_400_000,
    replyTo: null,
    threadId: null,
    callbackUrl: null,
    ...changes,
  };
}

function context(
  channel: Channel = 'sms',
  signal = new AbortController().signal,
): SendContext<{ channel: Channel }> {
  const unused = () => Promise.reject(new Error('the sandbox must not call out'));
  return {
    settings: { channel },
    http: { request: unused, stream: unused, close: unused },
    baseUrl: '',
    signal,
  };
}

const statuses = async (to: string, channel: Channel) => {
  const outcome = await sandbox.send(request(to), context(channel));
  return outcome.kind === 'accepted' ? outcome.receipts?.map((receipt) => receipt.status) : outcome.kind;
};

test.each([
  ['+4915112345678', 'sms', ['delivered']],
  ['+4915112345678', 'whatsapp', ['delivered', 'read']],
  ['@username', 'telegram', []],
  ['+4915112340004', 'sms', ['failed']],
  ['4915112340004', 'telegram', []],
  ['+4915112340001', 'sms', 'rejected'],
  ['4915112340001', 'whatsapp', 'rejected'],
  ['+4915112340003', 'sms', 'unknown'],
] as const)('%s on %s ends as %j', async (to, channel, ending) => {
  expect(await statuses(to, channel)).toEqual(ending);
});

test('0002 fails twice, then is sent', async () => {
  const kinds = [1, 2, 3].map(async (attempt) => {
    const outcome = await sandbox.send(request('+4915112340002', { attempt }), context());
    return outcome.kind;
  });
  expect(await Promise.all(kinds)).toEqual(['retry', 'retry', 'accepted']);
});

test('0006 is throttled once for two seconds, then sent', async () => {
  const first = await sandbox.send(request('+4915112340006'), context());
  const second = await sandbox.send(request('+4915112340006', { throttles: 1 }), context());
  expect(first).toMatchObject({ kind: 'throttled', afterMs: 2_000 });
  expect(second.kind).toBe('accepted');
});

test('0005 ends at once when the call is aborted, and nothing was sent', async () => {
  const outcome = await sandbox.send(request('+4915112340005'), context('sms', AbortSignal.abort()));
  expect(outcome.kind).toBe('retry');
});

test('a template ends as a text does, and two are listed', async () => {
  const template = { name: 'login_code', language: 'en', parameters: { body: ['123456'] } };
  const send = (to: string) =>
    sandbox.send(request(to, { type: 'template', body: { template } }), context('whatsapp'));
  expect(await send('+4915112345678')).toMatchObject({ kind: 'accepted' });
  expect(await send('+4915112340001')).toMatchObject({ kind: 'rejected' });
  const listed = await sandbox.listTemplates?.(context());
  expect(listed?.kind === 'listed' && listed.templates.map(({ name }) => name)).toEqual([
    'appointment_reminder',
    'login_code',
  ]);
});

test('counts segments on sms only', () => {
  const split = (channel: Channel) => sandbox.split?.('x'.repeat(161), { channel }, 'readable');
  expect(split('sms')).toEqual({ texts: ['x'.repeat(161)], segments: 2 });
  expect(split('telegram')?.segments).toBeNull();
});

test.each([
  ['image', 'image/png', /^\x89PNG/],
  ['audio', 'audio/wav', /^RIFF....WAVE/s],
  ['video', 'video/mp4', /^....ftyp/s],
  ['document', 'text/plain', /^A file from the sandbox/],
])('has a file for %s', async (type, mimeType, begin) => {
  const opened = await sandbox.openFile?.({ type }, context());
  if (opened?.kind !== 'file') throw new Error(JSON.stringify(opened));
  const content = Buffer.concat(await Array.fromAsync(opened.content));
  expect([opened.mimeType, opened.bytes]).toEqual([mimeType, content.length]);
  expect(content.toString('latin1')).toMatch(begin);
});

test.each([null, {}, { type: 'reaction' }, { type: 'constructor' }])('has no file for %j', async (file) => {
  expect(await sandbox.openFile?.(file, context())).toMatchObject({ kind: 'expired' });
});

test('a reply ends as any other message', async () => {
  const replyTo = { externalId: 'sandbox-1', isInbound: true, text: 'Hi' };
  expect(await sandbox.send(request('+4915112345678', { replyTo }), context())).toMatchObject({
    kind: 'accepted',
  });
});
