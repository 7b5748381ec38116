import type { IncomingMessage } from 'node:http';

/** How long the body of a request may take, in ms. */
export interface ArrivalLimits {
  /** For a whole body. */
  readonly requestTimeout: number;
  /** An upload may take longer, while at least so many bytes of it come within each such time. */
  readonly upload: { readonly bytes: number; readonly withinMs: number };
}

const slowly = Symbol('may come slowly');

/** Lets the body of this request come slowly. For callers that are known, and whose places are bounded. */
export function allowSlowBody(request: IncomingMessage): void {
  Object.assign(request, { [slowly]: true });
}

/** Whether the body of this request may come slowly. */
export function mayComeSlowly(request: IncomingMessage): boolean {
  return slowly in request;
}

/** What a look saw of a body. */
interface Seen {
  /** In ms, by the clock of the looks. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * Makes a look at bodies that are arriving. It tells whether one is too late. Call it every few seconds with all requests: the time of
 * a body counts from the first look that sees it, so a request costs nothing if it arrives at once. While we read slower than the client
 * sends, the client is not late.
 */
export function createLateness({
  requestTimeout,
  upload,
}: ArrivalLimits): (request: IncomingMessage, nowMs: number) => boolean {
  const seen = new WeakMap<IncomingMessage, Seen>();
  return (request, nowMs) => {
    if (request.complete || request.destroyed) return false;
    const { bytesRead: bytes } = request.socket;
    const before = seen.get(request);
    const look = (): false => {
      seen.set(request, { at: nowMs, bytes });
      return false;
    };
    if (before === undefined) return look();
    if (!mayComeSlowly(request)) return nowMs - before.at >= requestTimeout;
    if (nowMs - before.at < upload.withinMs) return false;
    return bytes - before.bytes < upload.bytes && request.readableLength === 0 ? true : look();
  };
}
