import { Problem } from '../problems/problem.ts';
import type { RequestInfo } from '../http/request-info.ts';

/**
 * Refuses a request that a browser marks as coming from another origin (Fetch Metadata; RFC 6454). Other clients send
 * neither header. A proxy may end TLS, so the host and port of the origin are compared with those of the request or of
 * the public address.
 */
export function requireSameOrigin({ headers }: Pick<RequestInfo, 'headers'>, publicUrl: string | null): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const siteIsOurs = site === undefined || site === 'same-origin' || site === 'none';
  const ours = [headers.host, publicUrl === null ? undefined : hostOf(publicUrl)];
  const originIsOurs = origin === undefined || ours.includes(hostOf(origin));
  if (!siteIsOurs || !originIsOurs)
    throw new Problem('forbidden', { detail: 'The refresh cookie is not accepted from another origin.' });
}

/** Host and port of an origin. Browsers send `null` for an opaque origin, which matches no host. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'null';
}
