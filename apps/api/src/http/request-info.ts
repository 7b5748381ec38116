import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import { parseCookie } from 'cookie';
import { clientAddress } from './address/client-address.ts';
import type { Place } from '../admission/admission.ts';
import type { Exchange } from './exchange.ts';

/**
 * The facts about a request that a handler may need beyond its checked parts. Those that most handlers do not need are
 * functions. As getters of an object literal they would give every request a hidden class of its own. Collecting these
 * took a fifth of the api's time (V8 in Node 24).
 */
export interface RequestInfo {
  readonly requestId: string;
  /** The origin of the messages that the request makes. Null where traces are off. */
  readonly origin: Origin | null;
  /** Its place among the requests in progress: leave it to wait for a provider. */
  readonly place: Pick<Place, 'leave' | 'away'>;
  /** The client's address, behind the trusted proxies (`TRUSTED_PROXIES`). */
  address(): string;
  readonly headers: IncomingHttpHeaders;
  cookies(): Readonly<Record<string, string | undefined>>;
  /** Aborted when the client is gone. A HEAD request has it aborted from the start, because its answer has no body. */
  gone(): AbortSignal;
}

/** The facts about a request. */
export function infoOf(
  { request, response, requestId, origin, place }: Exchange,
  { trustedProxies }: Pick<Settings, 'trustedProxies'>,
): RequestInfo {
  return {
    requestId,
    origin: origin ?? null,
    place,
    headers: request.headers,
    address: () => clientAddress(request, trustedProxies),
    cookies: () => parseCookie(request.headers.cookie ?? ''),
    gone: () => goneSignal({ request, response }),
  };
}

function goneSignal({ request, response }: Pick<Exchange, 'request' | 'response'>): AbortSignal {
  if (request.method === 'HEAD' || response.closed) return AbortSignal.abort();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
