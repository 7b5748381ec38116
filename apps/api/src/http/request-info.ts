import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@notify/runtime';
import { parseCookie } from 'cookie';
import { clientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';

/** What a handler may need of the request beyond its checked parts. */
export interface RequestInfo {
  readonly requestId: string;
  /** The client's, as far as the proxies in front are trusted (`TRUSTED_PROXIES`). */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Aborted when nobody reads the answer any more; at once for HEAD, which has none. */
  readonly gone: AbortSignal;
}

/** What a handler is told of its request, most of it worked out when the handler asks. */
export function infoOf(
  { request, response, requestId }: Exchange,
  { trustedProxies }: Pick<Settings, 'trustedProxies'>,
): RequestInfo {
  return {
    requestId,
    headers: request.headers,
    get address() {
      return clientAddress(request, trustedProxies);
    },
    get cookies() {
      return parseCookie(request.headers.cookie ?? '');
    },
    get gone() {
      return goneSignal({ request, response });
    },
  };
}

function goneSignal({ request, response }: Pick<Exchange, 'request' | 'response'>): AbortSignal {
  if (request.method === 'HEAD' || response.closed) return AbortSignal.abort();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
