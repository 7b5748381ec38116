import { type Adapter, judgeMedia, type Media, mediaLimits, type Split } from '@notify/channels';
import type { MediaType, MessageBody, Outcome } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import type { SpooledFile } from '@notify/egress';
import type { Permits, Slot } from '@notify/turns';
import type { DispatchDeps } from './deps.ts';
import { mediaDeadlineMs, mediaWaitMs } from './leases.ts';
import { type MediaSource, sourceOf } from './media-source.ts';

export type MediaBody = Extract<MessageBody, { type: MediaType }>;

/** A media message to send. */
export interface MediaSend {
  readonly body: MediaBody;
  /** When the process is stopping, files that have not reached the provider are given up. */
  readonly slot: Slot;
  readonly adapter: Adapter;
  /** Hands the message to the provider. */
  readonly call: (media: Media, signal: AbortSignal) => Promise<Outcome>;
}

/** The result of an attempt. `tookMs` is null when the provider was not called. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly tookMs: number | null;
}

/** The provider has no part of the message: it is given back, its attempt does not count, and claims skip its account for so long, in ms. */
export interface GivenBack {
  readonly skipMs: number;
}

/** How long claims skip an account when no file permit is free. */
const skipMs = 2_000;

/** The body of a message whose file we must check, with what goes with the file of its caption. Else null. */
export function mediaBodyOf(
  { state, body, part }: Claimed,
  { texts }: Split,
  { media }: Adapter,
): MediaBody | null {
  if (state !== 'call' || part > 0 || media === undefined || !('type' in body)) return null;
  return texts.length > 1 ? { ...body, caption: texts[0]! } : body;
}

/**
 * Checks the file and hands it to the provider, as soon as a file permit is free. The provider is not called earlier.
 * Files that the adapter fetched are gone when this ends.
 */
export async function sendMedia(send: MediaSend, deps: DispatchDeps): Promise<Attempt | GivenBack> {
  const release = await roomFor(send, deps.mediaInFlight);
  if (release === null) return { skipMs: send.slot.stopping.aborted ? 0 : skipMs };
  const beganAt = performance.now();
  try {
    const outcome = await lookAndCall(send, deps);
    // The process is stopping. If certainly nothing was sent, another process may begin the attempt again.
    if (send.slot.stopping.aborted && outcome.kind === 'retry') return { skipMs: 0 };
    return { outcome, tookMs: performance.now() - beganAt };
  } finally {
    release();
  }
}

/** Waits in a short line that moves, or returns null when the turn should not be held up. */
async function roomFor(
  { slot: { claimedAt, stopping } }: MediaSend,
  inFlight: Permits,
): Promise<(() => void) | null> {
  const waitMs = claimedAt + mediaWaitMs - performance.now();
  if (waitMs <= 0 || stopping.aborted || inFlight.waiting >= inFlight.limit) return null;
  const [free] = inFlight.tryAcquire(1);
  if (free !== undefined) return free;
  const acquiring = inFlight.acquire();
  const patience = AbortSignal.any([stopping, AbortSignal.timeout(Math.ceil(waitMs))]);
  const release = await Promise.race([acquiring, fired(patience)]);
  if (release === null) void releaseLater(acquiring);
  return release;
}

async function releaseLater(acquiring: Promise<() => void>): Promise<void> {
  (await acquiring)();
}

function fired(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

async function lookAndCall(send: MediaSend, deps: DispatchDeps): Promise<Outcome> {
  const { body, adapter, slot } = send;
  const source = sourceOf(body, deps);
  const looked = await source.look(slot.stopping);
  if ('kind' in looked) return looked;
  const refused = judgeMedia(body.type, looked, body.caption, adapter);
  if (refused !== null) return refused;
  await using files = new AsyncDisposableStack();
  using deadline = slot.deadlines.begin(mediaDeadlineMs(adapter));
  const { signal } = deadline;
  const media: Media = {
    url: source.url,
    mimeType: looked.mimeType,
    bytes: looked.bytes,
    filename: body.filename ?? null,
    caption: body.caption,
    download: async () => {
      const file = await read(send, source, AbortSignal.any([signal, slot.stopping]));
      return 'kind' in file ? file : files.use(file);
    },
  };
  return await send.call(media, signal);
}

/** A server may serve another file than the checked one, so the downloaded file is checked again. */
async function read(
  { body, adapter }: MediaSend,
  source: MediaSource,
  signal: AbortSignal,
): Promise<SpooledFile | Outcome> {
  const maxBytes = Math.min(mediaLimits[body.type].maxBytes, adapter.media?.[body.type].maxBytes ?? Infinity);
  const file = await source.read({ maxBytes, signal });
  if ('kind' in file) return file;
  const refused = judgeMedia(body.type, file, body.caption, adapter);
  if (refused === null) return file;
  await file[Symbol.asyncDispose]();
  return refused;
}
