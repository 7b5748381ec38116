import type { IncomingHttpHeaders } from 'node:http';

/**
 * The text of the API key in the headers of a request; null without one. `X-Api-Key` wins. Where `Authorization` may hold the key, it is the
 * Bearer token, or the password of Basic authentication (RFC 7617) with any user name.
 */
export function keyIn(headers: IncomingHttpHeaders, inAuthorization: boolean): string | null {
  const { authorization = '', 'x-api-key': own } = headers;
  if (typeof own === 'string') return own;
  if (!inAuthorization) return null;
  const [, scheme = '', given = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme === '') return null;
  return scheme.toLowerCase() === 'bearer' ? given : passwordOf(given);
}

function passwordOf(encoded: string): string {
  const pair = Buffer.from(encoded, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}
