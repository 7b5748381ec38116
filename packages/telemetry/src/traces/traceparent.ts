/** The W3C header that carries a trace from one program to the next. */
export const traceparentHeader = 'traceparent';

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/**
 * A `traceparent` as version 00 writes it, or null if it is invalid. Of later versions, the fields of version 00 count. Flags
 * other than `sampled` are left out. A trace id that looks like the id of a message is refused too: the trace of that message may be
 * another tenant's. (W3C Trace Context, 3.2, https://www.w3.org/TR/trace-context/#traceparent-header)
 */
export function readTraceparent(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, spanId, flags, more] = pattern.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (traceId === noTrace || spanId === noSpan || mayBeMessage(traceId!)) return null;
  return writeTraceparent({ traceId: traceId!, spanId: spanId! }, isSampled(flags!));
}

const dayMs = 86_400_000;

/**
 * Whether it may be a UUID of version 7 from the last year or the next day (RFC 9562, 5.7). A random id looks so once in 500,000.
 */
function mayBeMessage(traceId: string): boolean {
  if (traceId[12] !== '7' || !'89ab'.includes(traceId[16]!)) return false;
  const ageMs = Date.now() - Number.parseInt(traceId.slice(0, 12), 16);
  return ageMs > -dayMs && ageMs < 366 * dayMs;
}

/** A place in a trace: one of its spans. */
export interface Place {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** The value of the header for what a span calls. */
export function writeTraceparent({ traceId, spanId }: Place, sampled: boolean): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** The parts of a `traceparent` that `readTraceparent` returned. */
export function partsOf(traceparent: string): Place & { readonly sampled: boolean } {
  return {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    sampled: isSampled(traceparent.slice(53)),
  };
}

function isSampled(flags: string): boolean {
  return (Number.parseInt(flags, 16) & 1) === 1;
}
