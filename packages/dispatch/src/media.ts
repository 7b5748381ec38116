import { type Adapter, judgeMedia, type Media, mediaLimits, outcomeOfMediaFailure } from '@notify/channels';
import type { MessageBody, Outcome } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import type { SpooledFile } from '@notify/egress';
import type { Permits, Slot } from '@notify/turns';
import type { DispatchDeps } from './deps.ts';
import { mediaDeadlineMs, mediaWaitMs } from './leases.ts';

export type MediaBody = Exclude<MessageBody, { text: string }>;

/** A media message that is to be sent. */
export interface MediaSend {
  readonly body: MediaBody;
  /** When the process is to end, what is not yet on its way to the provider is given up. */
  readonly slot: Slot;
  readonly adapter: Adapter;
  /** Hands the message to the provider. */
  readonly call: (media: Media, signal: AbortSignal) => Promise<Outcome>;
}

/** What an attempt at a message came to; `tookMs` is null where the provider was not called. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly tookMs: number | null;
}

/** The provider has nothing of the message: its attempt is given back unburnt, and its account rests for a while. */
export interface GivenBack {
  readonly holdMs: number;
}

/** How long an account rests, in ms, when there is no room for its files. */
const holdMs = 2_000;

/** The content of a message that is sent with a file which we have to look at; null for every other. */
export function mediaBodyOf({ state, body }: Claimed, { media }: Adapter): MediaBody | null {
  return state !== 'call' || media === undefined || 'text' in body ? null : body;
}

/**
 * Looks at the file, judges it and hands it over, as soon as there is room for one more. Nothing of the provider is
 * called before. Files that the adapter fetched are gone when this ends.
 */
export async function sendMedia(send: MediaSend, deps: DispatchDeps): Promise<Attempt | GivenBack> {
  const release = await roomFor(send, deps.mediaInFlight);
  if (release === null) return { holdMs: send.slot.stopping.aborted ? 0 : holdMs };
  const beganAt = performance.now();
  try {
    const outcome = await lookAndCall(send, deps);
    // The process ends: let another begin anew, where it is certain that nothing was sent.
    if (send.slot.stopping.aborted && outcome.kind === 'retry') return { holdMs: 0 };
    return { outcome, tookMs: performance.now() - beganAt };
  } finally {
    release();
  }
}

/** Waits in line, which is short and moves, or returns null: then the turn should not be held up. */
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
  const looked = await deps.media.look(body.url, { signal: slot.stopping });
  if (!looked.ok) return outcomeOfMediaFailure(looked);
  const refused = judgeMedia(body.type, looked, body.caption, adapter);
  if (refused !== null) return refused;
  await using files = new AsyncDisposableStack();
  using deadline = slot.deadlines.begin(mediaDeadlineMs(adapter));
  const { signal } = deadline;
  const media: Media = {
    url: body.url,
    mimeType: looked.mimeType,
    bytes: looked.bytes,
    filename: body.filename ?? null,
    caption: body.caption,
    download: async () => {
      const file = await download(send, AbortSignal.any([signal, slot.stopping]), deps);
      return 'kind' in file ? file : files.use(file);
    },
  };
  return await send.call(media, signal);
}

/** A server may hand out another file than the one that was looked at, so what came is judged again. */
async function download(
  { body, adapter }: MediaSend,
  signal: AbortSignal,
  deps: DispatchDeps,
): Promise<SpooledFile | Outcome> {
  const maxBytes = Math.min(mediaLimits[body.type].maxBytes, adapter.media?.[body.type].maxBytes ?? Infinity);
  const downloaded = await deps.media.download(body.url, { maxBytes, signal });
  if (!downloaded.ok) return outcomeOfMediaFailure(downloaded);
  const refused = judgeMedia(body.type, downloaded.file, body.caption, adapter);
  if (refused === null) return downloaded.file;
  await downloaded.file[Symbol.asyncDispose]();
  return refused;
}
