import { registerTenant } from '@notify/testkit';
import { Notify } from '../src/index.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

export interface CutSendsOptions {
  readonly url: string;
  /** Default: one for every offset. */
  readonly sends?: number;
  /** How many clients send at once, each through its own proxy. */
  readonly lanes: number;
}

/** What a run found. */
export interface CutSendsReport {
  readonly sends: number;
  /** Connections that the proxies ended. */
  readonly cuts: number;
  /** Tries of the SDK after the first. */
  readonly retries: number;
  /** Bytes of one request and of one response. */
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** How many different pairs of bytes, of the request and of the response, came before a cut. */
  readonly places: number;
  /** Sends whose call rejected. */
  readonly rejected: readonly string[];
  /** Texts that no message has, and those that several have. */
  readonly missing: readonly string[];
  readonly duplicated: readonly string[];
  /** Calls that resolved with another message than the stored one. */
  readonly misreported: readonly string[];
  /** Messages by status at the end. */
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Sends texts through proxies that cut each send's first connection at the next offset of request or response, and every
 * third send's second connection elsewhere. Then reads all messages back, once none of them waits.
 */
export async function cutSends({ url, lanes, ...options }: CutSendsOptions): Promise<CutSendsReport> {
  const tenant = await registerTenant(url, { rateLimitOverride: 10_000 });
  const { requestBytes, responseBytes } = await measure(url, tenant.apiKey);
  const places = placesOf(requestBytes, responseBytes);
  const sends = options.sends ?? places.length;
  const answered = new Map<string, string>();
  const rejected: string[] = [];
  const cutAt = new Set<string>();
  let retries = 0;
  let cuts = 0;
  let next = 0;

  async function lane(): Promise<void> {
    await using line = await openLine(url, tenant.apiKey, () => (retries += 1));
    while (next < sends) {
      const index = next++;
      line.proxy.cutAt(cutsOf(index, places));
      const before = line.proxy.carried.length;
      const text = textOf(index);
      await line.notify.messages.sendText('sms', { to: '+15550001000', text }).then(
        ({ id }) => answered.set(text, id),
        (error: unknown) => rejected.push(`${text}: ${String(error)}`),
      );
      for (const { wasCut, request, response } of line.proxy.carried.slice(before)) {
        if (!wasCut) continue;
        cuts += 1;
        cutAt.add(`${request} ${response}`);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));

  const reader = new Notify({ baseUrl: url, token: tenant.accessToken });
  const found = await allMessages(reader);
  const wanted = Array.from({ length: sends }, (_, index) => textOf(index));
  return {
    sends,
    cuts,
    retries,
    requestBytes,
    responseBytes,
    places: cutAt.size,
    rejected,
    missing: wanted.filter((text) => !found.ids.has(text)),
    duplicated: wanted.filter((text) => (found.ids.get(text)?.length ?? 0) > 1),
    misreported: wanted.filter(
      (text) => answered.has(text) && found.ids.get(text)?.[0] !== answered.get(text),
    ),
    statuses: found.statuses,
  };
}

/** A client behind its own proxy, so that the cuts of a send are known. */
async function openLine(
  url: string,
  apiKey: string,
  onRetry: () => void,
): Promise<{ readonly proxy: CuttingProxy; readonly notify: Notify } & AsyncDisposable> {
  const proxy = await startCuttingProxy(url);
  const notify = new Notify({ baseUrl: proxy.url, apiKey, onRetry });
  return {
    proxy,
    notify,
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** The bytes of one whole send. */
async function measure(
  url: string,
  apiKey: string,
): Promise<{ requestBytes: number; responseBytes: number }> {
  await using line = await openLine(url, apiKey, () => {});
  await line.notify.messages.sendText('sms', { to: '+15550001000', text: textOf(-1) });
  const { request, response } = line.proxy.carried[0]!;
  return { requestBytes: request, responseBytes: response };
}

/** Every offset: before each byte, and after the last of the request. */
function placesOf(requestBytes: number, responseBytes: number): Omit<Cut, 'reset'>[] {
  return [
    ...Array.from({ length: requestBytes + 1 }, (_, offset) => ({ side: 'request' as const, offset })),
    ...Array.from({ length: responseBytes }, (_, offset) => ({ side: 'response' as const, offset })),
  ];
}

/** The cuts of a send's connections, in order. Rounds over the places alternate between resets and ends. */
function cutsOf(index: number, places: readonly Omit<Cut, 'reset'>[]): () => Cut | null {
  const reset = (index + Math.floor(index / places.length)) % 2 === 0;
  const cuts: Cut[] = [{ ...places[index % places.length]!, reset }];
  if (index % 3 === 0) cuts.push({ ...places[(index * 7 + 5) % places.length]!, reset: !reset });
  return () => cuts.shift() ?? null;
}

/** Of the same length for every send. */
function textOf(index: number): string {
  return `send ${String(index + 1).padStart(6, '0')}`;
}

/** The ids by text and the counts by status, as soon as every message has its end. */
async function allMessages(
  notify: Notify,
): Promise<{ ids: Map<string, string[]>; statuses: Record<string, number> }> {
  for (;;) {
    const ids = new Map<string, string[]>();
    const statuses: Record<string, number> = {};
    for await (const { messageId, body, status } of notify.tenantMessages.list({ limit: 100 })) {
      const text = 'text' in body ? String(body.text) : '';
      ids.set(text, [...(ids.get(text) ?? []), messageId]);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    if (statuses['queued'] === undefined && statuses['sent'] === undefined) return { ids, statuses };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
