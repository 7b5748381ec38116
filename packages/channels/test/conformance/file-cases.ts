import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type MediaType, noUrl, type Outcome } from '@notify/core';
import type { SpooledFile } from '@notify/egress';
import type { Media } from '../../src/adapter/channel.ts';
import { watchedClient } from './http-cases.ts';
import { answering, inTurn, startPeer } from './scripted-peer.ts';
import { assertNoSecret, type ConformanceCase, sendRequest, type Subject } from './subject.ts';

/** Every byte there is, and line ends and boundaries that a careless form would end at. */
const contents = Buffer.concat([
  Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from('\r\n--\r\n\r\n--notify--\r\nContent-Disposition: form-data; name="file"\r\n\r\n'),
  Buffer.alloc(150_000, 'file '),
]);

const files: readonly (readonly [MediaType, string])[] = [
  ['image', 'image/jpeg'],
  ['video', 'video/mp4'],
  ['audio', 'audio/mpeg'],
  ['document', 'application/pdf'],
];

/** The cases of uploaded files, which a send names by `fileId`. They have no address that a provider could fetch. */
export function fileCases(subject: Subject): readonly ConformanceCase[] {
  const { adapter, http, uploaded } = subject;
  const takesFiles = adapter.capabilities.media;
  if (!takesFiles)
    return [{ name: 'file by id: refused, and nobody is asked', run: () => refusesFile(subject) }];
  if (http === undefined)
    return [{ name: 'file by id: read only by the process that sends it', run: () => asksNobody(subject) }];
  if (uploaded === undefined) throw new Error('the answers to an upload are needed to try files');
  return files.map(([type, mimeType]) => ({
    name: `file by id: the provider gets the same bytes as ${type}`,
    async run() {
      const { outcome, requests } = await send(subject, type, mimeType);
      assert.equal((await outcome).kind, 'accepted');
      const sent = requests.flatMap(filesIn);
      assert.deepEqual(sent.map(sha256), [sha256(contents)]);
      // Where the upload is a request of its own, the message names what its answer named.
      if (uploaded !== null)
        assert.ok(requests.at(-1)!.includes(uploaded.id), 'the file is not in the message');
    },
  }));
}

/** The api refuses such a message with `media-not-supported`, before it is stored. An adapter may throw if one gets there. */
async function refusesFile(subject: Subject): Promise<void> {
  assert.equal(subject.adapter.media, undefined, 'an adapter that takes no files has no rules for them');
  const { outcome, requests } = await send(subject, 'image', 'image/jpeg');
  const kind = await outcome.then(
    (one) => one.kind,
    () => 'rejected',
  );
  assert.deepEqual({ kind, requests }, { kind: 'rejected', requests: [] });
}

/** The sandbox sends nothing, and linked devices send from another process, whose own tests compare what arrives. */
async function asksNobody(subject: Subject): Promise<void> {
  const { outcome, downloads } = await send(subject, 'image', 'image/jpeg');
  const { kind } = await outcome;
  assert.equal(kind, subject.adapter.media === undefined ? 'accepted' : 'retry');
  assert.equal(downloads, 0);
}

interface Sent {
  /** Settled. */
  readonly outcome: Promise<Outcome>;
  /** Every request to the provider, as it came over the wire, in latin1. */
  readonly requests: readonly string[];
  readonly downloads: number;
}

/** Sends the contents as an uploaded file of this type. */
async function send(subject: Subject, type: MediaType, mimeType: string): Promise<Sent> {
  const { adapter, settings, secrets, http: answers, uploaded } = subject;
  const script = [
    ...(uploaded === null || uploaded === undefined ? [] : [uploaded.answer]),
    ...(answers === undefined ? [] : [answers.taken]),
  ];
  await using peer = await startPeer(inTurn(...script.map(answering)));
  const { signal } = new AbortController();
  await using http = watchedClient(adapter, {
    signal,
    mostMs: adapter.mediaDeadlineMs ?? adapter.capabilities.callDeadlineMs,
  });
  const baseUrl = `http://${peer.host}`;
  const filename = 'a.bin';
  let downloads = 0;
  const media: Media = {
    url: null,
    mimeType,
    bytes: contents.length,
    filename,
    caption: null,
    download: async () => {
      downloads += 1;
      return spooled(mimeType);
    },
  };
  const body = { type, url: noUrl, fileId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90', caption: null, filename };
  const request = sendRequest({ type, body, media });
  const outcome = Promise.resolve(
    adapter.send(request, { settings: settings(baseUrl), http, baseUrl, signal }),
  );
  const [result] = await Promise.allSettled([outcome]);
  if (result.status === 'fulfilled') assertNoSecret(result.value, secrets);
  return { outcome, requests: peer.requests, downloads };
}

function spooled(mimeType: string): SpooledFile {
  return {
    mimeType,
    bytes: contents.length,
    async *open() {
      for (let at = 0; at < contents.length; at += 65_536) yield contents.subarray(at, at + 65_536);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The contents of every file in a request that is a form (RFC 7578). */
function filesIn(request: string): Buffer[] {
  const boundary = /^content-type: *multipart\/form-data; *boundary="?([^"\r]+)/im.exec(request)?.[1];
  if (boundary === undefined) return [];
  return request
    .split(`\r\n--${boundary}`)
    .filter((part) => /^\r\ncontent-disposition:[^\r]*; filename="/i.test(part))
    .map((part) => Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4), 'latin1'));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
