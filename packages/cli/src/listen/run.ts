import { ApiError, type Notify } from '@notify/sdk';
import type { Context } from '../context.ts';
import { matchesEvent } from '../events/names.ts';
import { CommandFailure } from '../failures.ts';
import type { Begin } from './begin.ts';
import { createCatchUp } from './catch-up.ts';
import { deliver } from './delivery.ts';
import type { Entry, ListenedEvent } from './entry.ts';
import { createForwarder } from './forwarder.ts';
import type { PositionFile } from './position.ts';
import { post } from './post.ts';
import { createReport } from './report.ts';
import { headersAt } from './signature.ts';
import { isSince } from './since.ts';
import { createCounter } from './tally.ts';

/** What `listen` forwards, where to, and how. */
export interface Forwarding {
  readonly service: string;
  readonly target: URL;
  /** Signs the events. */
  readonly secret: string;
  readonly position: PositionFile;
  readonly begin: Begin;
  /** The events to forward; null is all. */
  readonly names: readonly string[] | null;
  readonly concurrency: number;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly silentMs: number;
  readonly verifyCertificate: boolean;
}

/** How long to wait after Ctrl-C for the answers in progress, in ms. */
const graceMs = 5_000;
/** How long the summary and the last position may take after that, in ms. */
const endingMs = 500;

/** Forwards until the context's signal, which is its good end, or until the service refuses. */
export async function forwardEvents(context: Context, client: Notify, options: Forwarding): Promise<void> {
  const { signal, output } = context;
  const { begin, position, secret, target, retries, timeoutMs, verifyCertificate } = options;
  context.allowGrace(graceMs + endingMs);
  const report = createReport(output);
  const counter = createCounter();
  const catchUp = createCatchUp((count) => report.caughtUp(count));
  const stopped = new AbortController();
  const forwarder = createForwarder({
    concurrency: options.concurrency,
    onPosition: (cursor) => position.save(cursor),
    forward: (entry) =>
      deliver(entry, {
        retries,
        stop: stopped.signal,
        async post(one) {
          const headers = {
            ...(await headersAt(one, secret, Date.now())),
            'user-agent': `Notify (notifyctl/${context.version} listen)`,
          };
          return post({ url: target, headers, body: one.body, timeoutMs, verifyCertificate });
        },
        onAttempt(attempt) {
          counter.attempt(attempt);
          report.attempt(attempt);
        },
      }),
  });
  const take = async (entry: Entry): Promise<void> => {
    catchUp.see(entry);
    if (isWanted(entry.event, options)) return forwarder.take(entry);
    counter.leaveOut();
    if (entry.cursor !== null) forwarder.skip(entry.cursor);
  };

  report.start({
    service: options.service,
    forwardTo: target.href,
    positionFile: position.file,
    savedAt: begin.savedAt,
    since: begin.since,
  });
  try {
    for (const entry of begin.entries) await orAborted(take(entry), signal);
    const stream = client.events.stream(begin.cursor === null ? {} : { cursor: begin.cursor }, {
      signal,
      silentMs: options.silentMs,
      onCursor: (cursor) => forwarder.skip(cursor),
      onConnection(change) {
        report.connection(change);
        if (change.state === 'lost') catchUp.end();
        if (change.state === 'lost' && change.attempt === 0) counter.lose();
        if (change.state === 'resumed' || (change.state === 'open' && begin.cursor !== null)) catchUp.begin();
      },
    });
    for await (const entry of stream) await orAborted(take(entry), signal);
  } catch (error) {
    throw explained(error);
  } finally {
    stopped.abort();
    await Promise.race([forwarder.finished(), pause(signal.aborted ? graceMs : timeoutMs)]);
    catchUp.end();
    report.summary(counter.tally, forwarder.unfinished);
    await position.flush();
  }
}

function isWanted(event: ListenedEvent, { names, begin }: Forwarding): boolean {
  if (begin.since !== null && !isSince(event, begin.since)) return false;
  return matchesEvent(names ?? undefined, event.event);
}

/** Also resolves when the program is to end. What was taken is then unfinished. */
function orAborted(taken: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve();
    signal.addEventListener('abort', leave, { once: true });
    taken.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** What to do when the stream cannot go on. */
function explained(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'cursor-expired')
    return new CommandFailure(`the position is no longer valid: ${error.detail ?? error.title}`, {
      hint: 'Continue with --since now, or forward the events of the last days again with --since 7d.',
    });
  return error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
