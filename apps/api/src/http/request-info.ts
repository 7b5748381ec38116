import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '@notify/runtime';
import { parseCookie } from 'cookie';
import { clientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';

/** The facts about a request that a handler may need beyond its checked parts. */
export interface RequestInfo {
  readonly requestId: string;
  /** The client's address, behind the trusted proxies (`TRUSTED_PROXIES`). */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Aborted when the client is gone. A HEAD request has it aborted from the start, because its answer has no body. */
  readonly gone: AbortSignal;
}

/** The facts about a request, most of them computed when the handler asks. */
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
