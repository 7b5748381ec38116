import { type Behaviour, type Received, startReceiver } from './receiver.ts';

/** A span as a collector receives it. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Null for the first span of a trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  /** 1 internal, 2 server, 3 client (opentelemetry-proto, trace.proto). */
  readonly kind: number;
  /** In ns since 1970. */
  readonly beganAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** The message of a failed status, else null. */
  readonly error: string | null;
  /** The attributes of its resource, such as `service.name`. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

/** A collector of traces. */
export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Everything received, oldest first. */
  readonly received: readonly Received[];
  /** The spans of all requests that were answered with success. */
  readonly spans: readonly OtlpSpan[];
  /** Sets the behaviour from now on, at first success. */
  behave(behaviour: Behaviour): void;
}

/**
 * Starts a collector that takes OTLP/HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp) and keeps the spans. It
 * answers 400 to what is not valid.
 */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const receiver = await startReceiver(port);
  const spans: OtlpSpan[] = [];
  let behaviour: Behaviour = {};
  receiver.behave((request) => {
    if ((behaviour.status ?? 200) >= 300 || behaviour.hang === true) return behaviour;
    try {
      spans.push(...readSpans(request));
    } catch (error) {
      return { status: 400, body: String(error) };
    }
    return { headers: { 'content-type': 'application/json' }, body: '{}', ...behaviour };
  });
  return {
    url: receiver.url,
    received: receiver.received,
    spans,
    behave: (next) => (behaviour = next),
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/**
 * The spans of one trace that hang in the air, as sentences: a parent that nobody has sent, or a second first span. The parents
 * in `outside` are those of senders.
 */
export function looseSpans(trace: readonly OtlpSpan[], outside: readonly string[] = []): string[] {
  const known = new Set([...trace.map(({ spanId }) => spanId), ...outside]);
  const twice = trace.filter(({ spanId }, index) => trace.findIndex((one) => one.spanId === spanId) < index);
  const first = trace.filter(({ parentSpanId }) => parentSpanId === null || outside.includes(parentSpanId));
  return [
    ...trace
      .filter(({ parentSpanId }) => parentSpanId !== null && !known.has(parentSpanId))
      .map(({ name, parentSpanId }) => `${name} has the parent ${parentSpanId}, which is missing`),
    ...twice.map(({ name, spanId }) => `${name} has the id ${spanId} of another span`),
    ...(first.length === 1
      ? []
      : [`there are ${first.length} first spans: ${first.map(({ name }) => name).join(', ')}`]),
  ];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

function readSpans({ method, url, headers, body }: Received): OtlpSpan[] {
  if (method !== 'POST' || url !== '/v1/traces') throw new Error(`${method} ${url} is not for traces`);
  if (headers['content-type'] !== 'application/json') throw new Error('not JSON');
  const { resourceSpans } = JSON.parse(body.toString('utf8')) as WireRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(span, valuesOf(resource?.attributes)))),
  );
}

function toSpan(span: WireSpan, resource: OtlpSpan['resource']): OtlpSpan {
  const { name, kind, links = [], status } = span;
  return {
    traceId: idOf(span.traceId, 32),
    spanId: idOf(span.spanId, 16),
    // The protocol lets an empty id stand for none.
    parentSpanId: (span.parentSpanId ?? '') === '' ? null : idOf(span.parentSpanId, 16),
    name,
    kind,
    beganAt: BigInt(span.startTimeUnixNano),
    endedAt: BigInt(span.endTimeUnixNano),
    attributes: valuesOf(span.attributes),
    links: links.map((link) => ({ traceId: idOf(link.traceId, 32), spanId: idOf(link.spanId, 16) })),
    error: status?.code === 2 ? (status.message ?? '') : null,
    resource,
  };
}

/** Ids are in hexadecimal digits, unlike other bytes in JSON. */
function idOf(text: unknown, digits: number): string {
  if (typeof text !== 'string' || text.length !== digits || !/^[\da-f]+$/.test(text) || /^0+$/.test(text))
    throw new Error(`not an id of ${digits} digits`);
  return text;
}

function valuesOf(pairs: readonly KeyValue[] = []): OtlpSpan['attributes'] {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: KeyValue['value']): string | number | boolean {
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  const number = value.intValue ?? value.doubleValue;
  if (typeof number !== 'number' && typeof number !== 'string')
    throw new Error('an attribute of another kind');
  return Number(number);
}
