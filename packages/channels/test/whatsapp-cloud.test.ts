import { createHash, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { noUrl, type Outcome } from '@notify/core';
import { type CloudBehaviour, type CloudPeer, startWhatsappCloudPeer } from '@notify/testkit';
import type { Media, MediaType, SendRequest } from '../src/adapter/channel.ts';
import { whatsappCloud } from '../src/whatsapp-cloud/whatsapp-cloud.ts';
import { sendRequest } from './conformance/conformance.ts';
import { context, id, send } from './whatsapp-cloud-account.ts';

/** A file of random bytes, as the worker hands one over, and whether it was removed again. */
function file(
  mimeType: string,
  bytes: number,
  filename: string | null = null,
  caption: string | null = null,
) {
  const content = randomBytes(Math.min(bytes, 1_000_000));
  const removed = { times: 0 };
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; left -= content.length) yield content.subarray(0, left);
  }
  const media: Media = {
    url: 'https://files.example/a',
    mimeType,
    bytes,
    filename,
    caption,
    download: async () => ({
      bytes,
      mimeType,
      open,
      async [Symbol.asyncDispose]() {
        removed.times += 1;
      },
    }),
  };
  return {
    media,
    removed,
    sha256: bytes > content.length ? null : createHash('sha256').update(content).digest('hex'),
  };
}

const sendFile = (peer: CloudPeer, type: MediaType, media: Media, changes: Partial<SendRequest> = {}) =>
  send(peer, { type, media, body: { type, url: media.url ?? noUrl, caption: media.caption }, ...changes });

test('a text arrives as it is, and Meta knows our id of it', async () => {
  await using peer = await startWhatsappCloudPeer();
  const outcome = await send(peer);
  const [entry] = peer.ledger();
  expect(outcome).toEqual({ kind: 'accepted', externalId: entry?.wamids[0] });
  expect(entry?.message).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '4915112345678',
    type: 'text',
    text: { body: (sendRequest().body as { text: string }).text, preview_url: false },
    biz_opaque_callback_data: id,
  });
});

test.each<[MediaType, string, string | null, string | null, object]>([
  ['image', 'image/png', null, 'Grüße "…"', { caption: 'Grüße "…"' }],
  ['video', 'video/mp4', null, null, {}],
  ['audio', 'audio/ogg; codecs=opus', null, null, {}],
  [
    'document',
    'application/pdf',
    'Rechnung "1" – März.pdf',
    'c',
    { caption: 'c', filename: 'Rechnung "1" – März.pdf' },
  ],
])('%s of %s is uploaded, sent by id and removed', async (type, mimeType, filename, caption, rest) => {
  await using peer = await startWhatsappCloudPeer();
  const { media, removed, sha256 } = file(mimeType, 300_000, filename, caption);
  expect(await sendFile(peer, type, media)).toMatchObject({ kind: 'accepted' });
  const [upload] = peer.uploads();
  expect(upload).toMatchObject({ mimeType, bytes: 300_000, sha256 });
  expect(peer.ledger()[0]?.message).toMatchObject({ type, [type]: { id: upload?.id, ...rest } });
  expect(removed.times).toBe(1);
});

test('a document of 100 MB streams through', async () => {
  await using peer = await startWhatsappCloudPeer();
  const bytes = 100 * 1024 * 1024;
  expect(await sendFile(peer, 'document', file('application/zip', bytes).media)).toMatchObject({
    kind: 'accepted',
  });
  expect(peer.uploads()).toMatchObject([{ bytes }]);
});

test('a file that cannot be fetched is not uploaded, and nothing is sent', async () => {
  await using peer = await startWhatsappCloudPeer();
  const gone: Outcome = { kind: 'rejected', errorCode: 'media-unavailable', text: '404' };
  const media: Media = { ...file('image/png', 9).media, download: async () => gone };
  expect(await sendFile(peer, 'image', media)).toEqual(gone);
  expect([peer.uploads(), peer.ledger()]).toEqual([[], []]);
});

test('a file Meta cannot take is tried once more, then refused; a failed upload is never unknown', async () => {
  await using peer = await startWhatsappCloudPeer();
  const { media, removed } = file('image/png', 9);
  peer.behave({ upload: { error: 131053 } });
  const first = await sendFile(peer, 'image', media);
  const second = await sendFile(peer, 'image', media, { attempt: 2 });
  expect(first).toMatchObject({
    kind: 'retry',
    errorCode: 'media-rejected',
    providerCode: '131053',
    afterMs: 10_000,
  });
  expect(second).toMatchObject({ kind: 'rejected', errorCode: 'media-rejected', providerCode: '131053' });
  expect([removed.times, peer.ledger()]).toEqual([2, []]);
  const broken = { ...media, download: async () => ({ ...(await media.download()), bytes: 10 }) as never };
  expect(await sendFile(peer, 'image', broken)).toMatchObject({
    kind: 'retry',
    errorCode: 'provider-unreachable',
  });
});

test.each<[number, object]>([
  ...[0, 3, 10, 33, 190, 200, 299, 368, 131031, 131042, 131045, 131048, 133010].map(
    (code) => [code, { kind: 'connection-broken', providerCode: String(code) }] as [number, object],
  ),
  ...[1, 2, 131000, 131016, 133004].map(
    (code) =>
      [code, { kind: 'retry', errorCode: 'provider-error', providerCode: String(code) }] as [number, object],
  ),
  ...[4, 80007, 130429].map(
    (code) => [code, { kind: 'throttled', scope: 'account', afterMs: 1_000 }] as [number, object],
  ),
  [131056, { kind: 'throttled', scope: 'recipient', afterMs: 6_000 }],
  [100, { kind: 'rejected', errorCode: 'provider-rejected', providerCode: '100' }],
  [131008, { kind: 'rejected', errorCode: 'provider-rejected', providerCode: '131008' }],
  [131009, { kind: 'rejected', errorCode: 'provider-rejected', providerCode: '131009' }],
  [131021, { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '131021' }],
  [131026, { kind: 'rejected', errorCode: 'recipient-unreachable', providerCode: '131026' }],
  [131047, { kind: 'rejected', errorCode: 'outside-24h-window', providerCode: '131047' }],
  [131049, { kind: 'rejected', errorCode: 'marketing-limited', providerCode: '131049' }],
  [130472, { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '130472' }],
  [131051, { kind: 'rejected', errorCode: 'content-rejected', providerCode: '131051' }],
  [132000, { kind: 'rejected', errorCode: 'template-parameters-invalid', providerCode: '132000' }],
  [131052, { kind: 'retry', errorCode: 'media-rejected', providerCode: '131052' }],
  [999999, { kind: 'rejected', errorCode: 'provider-rejected', providerCode: '999999' }],
])('error %d, whatever its HTTP status: %j', async (code, expected) => {
  await using peer = await startWhatsappCloudPeer();
  peer.behave({ answer: { error: code }, times: 1 });
  const outcome = await send(peer);
  expect(outcome).toMatchObject({ ...expected, text: expect.stringContaining(`(#${code})`) });
  expect(await send(peer)).toMatchObject({ kind: 'accepted' });
});

test('waits grow, and Retry-After is obeyed', async () => {
  await using peer = await startWhatsappCloudPeer();
  const waits = async (behaviour: CloudBehaviour) => {
    peer.behave(behaviour);
    const outcomes = await Promise.all([0, 1, 2, 30].map((throttles) => send(peer, { throttles })));
    return outcomes.map((outcome) => 'afterMs' in outcome && outcome.afterMs);
  };
  expect(await waits({ answer: { error: 131056 } })).toEqual([6_000, 24_000, 96_000, 600_000]);
  expect(await waits({ answer: { error: 130429 } })).toEqual([1_000, 2_000, 4_000, 60_000]);
  expect(await waits({ answer: { error: 130429 }, retryAfter: '9' })).toEqual([9_000, 9_000, 9_000, 9_000]);
});

test('the rates of Meta: so many a second by a number, so many at once to one recipient', async () => {
  await using peer = await startWhatsappCloudPeer({ perSecond: 3, pairBurst: 2 });
  // All of it is one moment, however long this machine takes.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const to = (last: number) => send(peer, { to: `+491511234567${last}` });
  const outcomes = [await to(1), await to(1), await to(1), await to(2)];
  clock.mockRestore();
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'throttled', 'throttled']);
  expect(outcomes.map((outcome) => 'scope' in outcome && outcome.scope).slice(2)).toEqual([
    'recipient',
    'account',
  ]);
});

test('what was taken and never answered is unknown', async () => {
  await using peer = await startWhatsappCloudPeer();
  peer.behave({ answer: 'reset', times: 1 });
  expect(await send(peer)).toMatchObject({ kind: 'unknown' });
  expect(peer.ledger()).toMatchObject([{ id, asked: 1, wamids: [expect.any(String)] }]);
});

test('verify says who the number is; a wrong token or number is the account, and shows no secret', async () => {
  await using peer = await startWhatsappCloudPeer();
  expect(await whatsappCloud.verify(context(peer))).toEqual({
    ok: true,
    detail: '+1 555-010-9999, Peer Shop',
  });
  for (const wrong of [{ accessToken: 'wrong-token' }, { phoneNumberId: '99999' }]) {
    const verdict = await whatsappCloud.verify(context(peer, wrong));
    expect(verdict).toMatchObject({
      ok: false,
      refused: true,
      detail: expect.stringMatching(/^\(#(190|100)\)/),
    });
    const outcome = await whatsappCloud.send(sendRequest(), context(peer, wrong));
    expect(outcome.kind).toBe('connection-broken');
    expect(JSON.stringify([verdict, outcome])).not.toContain('wrong-token');
  }
});

test('an acceptance names the number by which WhatsApp knows the recipient, if it is another one', async () => {
  await using peer = await startWhatsappCloudPeer();
  peer.behave({ waIds: { '5511987650000': '551187650000' } });
  const outcome = await send(peer, { to: '+5511987650000' });
  expect(outcome).toMatchObject({
    kind: 'accepted',
    address: { asked: '+5511987650000', known: '+551187650000' },
  });
  expect(await send(peer, { to: '+5511987650001' })).not.toHaveProperty('address');
});
