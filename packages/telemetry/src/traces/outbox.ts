/** Why spans were not taken. */
export interface Failure {
  /** The kind of the failure. */
  readonly fault: string;
  /** How long nothing is to be sent, in ms. */
  readonly pauseMs: number;
}

/** Sends spans to the collector. Resolves with null once they are taken. Never rejects. */
export type Send<Span> = (spans: readonly Span[]) => Promise<Failure | null>;

export interface OutboxOptions<Span> {
  readonly send: Send<Span>;
  /** The most spans that wait. Those that come later are dropped. */
  readonly maxWaiting: number;
  /** The most spans of one request. */
  readonly maxItems: number;
  /** How long spans wait for others, in ms. */
  readonly afterMs: number;
  /** Spans that will not be sent again. */
  readonly lost: (count: number, why: 'dropped' | 'failed') => void;
  readonly sent: (count: number) => void;
  /** Called at the beginning of an outage with the kind of failure, and at its end with null. */
  readonly outage: (why: string | null) => void;
}

/** Spans on their way to the collector. */
export interface Outbox<Span> {
  /** Never waits: it only appends. */
  add(span: Span): void;
  /** Sends what waits, within `deadlineMs` and unless the collector asked for a pause. Takes no more afterwards. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Sends spans in batches, one request at a time. A batch that fails is lost, because the next ones must not wait for it. So a
 * collector that is away, slow or failing costs a bounded amount of memory, and no other work waits for it.
 */
export function createOutbox<Span>(options: OutboxOptions<Span>): Outbox<Span> {
  const { maxWaiting, maxItems, afterMs } = options;
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let isOut = false;
  let isClosed = false;
  let isOver = false;
  /** By `performance.now()`. */
  let pausedUntil = 0;

  function schedule(): void {
    if (sending !== null || isClosed || waiting.length === 0) return;
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs > 0) timer ??= setTimeout(start, pauseMs).unref();
    else if (waiting.length >= maxItems) {
      clearTimeout(timer);
      start();
    } else timer ??= setTimeout(start, afterMs).unref();
  }

  function start(): void {
    timer = undefined;
    sending ??= sendNext().finally(() => {
      sending = null;
      schedule();
    });
  }

  async function sendNext(): Promise<void> {
    const spans = waiting.slice(0, maxItems);
    waiting = waiting.slice(maxItems);
    const failure = await options.send(spans);
    const fault = failure?.fault ?? null;
    pausedUntil = performance.now() + (failure?.pauseMs ?? 0);
    if (fault === null) options.sent(spans.length);
    else options.lost(spans.length, 'failed');
    if (isOver || (fault !== null) === isOut) return;
    isOut = fault !== null;
    options.outage(fault);
  }

  async function sendAll(): Promise<void> {
    await sending;
    while (waiting.length > 0 && pausedUntil <= performance.now()) await sendNext();
  }

  return {
    add(span) {
      if (isClosed || waiting.length >= maxWaiting) return options.lost(1, 'dropped');
      waiting.push(span);
      schedule();
    },
    async close(deadlineMs) {
      isClosed = true;
      clearTimeout(timer);
      const late = Promise.withResolvers<void>();
      const deadline = setTimeout(late.resolve, deadlineMs);
      await Promise.race([sendAll(), late.promise]);
      clearTimeout(deadline);
      isOver = true;
      if (waiting.length > 0) options.lost(waiting.length, 'dropped');
      waiting = [];
    },
  };
}
