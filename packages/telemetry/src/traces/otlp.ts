import type { SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { openPost } from './otlp-post.ts';
import type { Send } from './outbox.ts';
import type { EndedSpan } from './state.ts';

/** Where spans are sent, and how the sender names itself. */
export interface OtlpOptions {
  /** The base URL. `/v1/traces` is added. */
  readonly endpoint: string;
  /** `name=value`, separated by commas; values are percent-encoded. */
  readonly headers: string | null;
  /** The name of the process. */
  readonly process: string;
  readonly version: string;
  readonly instanceId: string;
}

const spanKinds = { internal: 0, server: 1, client: 2 } as const;
const none: never[] = [];

/**
 * Opens the way to the collector, in JSON (OTLP 1.x, https://opentelemetry.io/docs/specs/otlp/#otlphttp). Only this loads
 * OpenTelemetry, which writes the spans. The connections are its own, so neither the guard of tenants' requests nor their proxy
 * is in the way.
 */
export async function openOtlp(options: OtlpOptions): Promise<Send<EndedSpan>> {
  const [{ JsonTraceSerializer }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
  ]);
  const post = openPost(`${options.endpoint.replace(/\/+$/, '')}/v1/traces`, {
    'user-agent': `notify/${options.version}`,
    ...headersOf(options.headers),
    'content-type': 'application/json',
  });
  const resource = resourceFromAttributes({
    'service.name': `notify-${options.process}`,
    'service.version': options.version,
    'service.instance.id': options.instanceId,
  });
  const scope = { name: 'notify', version: options.version };
  const toReadable = (one: EndedSpan): ReadableSpan => ({
    name: one.name,
    kind: spanKinds[one.kind],
    spanContext: () => contextOf(one.place),
    ...(one.parentId === null
      ? {}
      : { parentSpanContext: contextOf({ traceId: one.place.traceId, spanId: one.parentId }) }),
    startTime: timeOf(one.beganAt),
    endTime: timeOf(one.endedAt),
    duration: timeOf(one.endedAt - one.beganAt),
    status: one.error === null ? { code: 0 } : { code: 2, message: one.error },
    attributes: one.attributes,
    links: one.links.map((place) => ({ context: contextOf(place) })),
    events: none,
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  });
  return async (spans) => {
    const body = JsonTraceSerializer.serializeRequest(spans.map(toReadable));
    return body === undefined ? { fault: 'failed', pauseMs: 0 } : post(body);
  };
}

function contextOf({ traceId, spanId }: EndedSpan['place']): SpanContext {
  return { traceId, spanId, traceFlags: 1 };
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}

function headersOf(text: string | null): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    }),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
