import { EgressError } from '../errors.ts';

export interface ClockOptions {
  /** The limit of the whole exchange, in ms. */
  readonly totalMs: number;
  /** The limit of silence, in ms. Default: `totalMs`. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bounds the time of one exchange. Stop it when the exchange is over. */
export interface Clock {
  /** Fires with an `EgressError` when time is up or the caller aborts. */
  readonly signal: AbortSignal;
  /** Reports that data has arrived, which restarts the limit of silence. */
  heard(): void;
  /** Suspends the limit of silence until `heard`: nobody waits for data. */
  rest(): void;
  stop(): void;
}

/** Starts a clock. */
export function startClock({ totalMs, idleMs = totalMs, signal }: ClockOptions): Clock {
  const controller = new AbortController();
  const end = (...reason: ConstructorParameters<typeof EgressError>): void =>
    controller.abort(new EgressError(...reason));
  const total = setTimeout(end, totalMs, 'timeout', `it took longer than ${totalMs / 1_000} s`);
  const startIdle = (): NodeJS.Timeout =>
    setTimeout(end, idleMs, 'timeout', `nothing came for ${idleMs / 1_000} s`);
  let idle: NodeJS.Timeout | null = startIdle();
  let stopped = false;
  const rest = (): void => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
  };
  const onAbort = (): void => end('aborted', 'the request was aborted');
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  return {
    signal: controller.signal,
    heard() {
      if (idle !== null) idle.refresh();
      else if (!stopped) idle = startIdle();
    },
    rest,
    stop() {
      stopped = true;
      clearTimeout(total);
      rest();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
