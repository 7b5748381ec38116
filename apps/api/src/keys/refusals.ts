import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../problems/problem.ts';
import { keyPrefix, tokenPrefix } from '../http/credential.ts';

/** A credential without the scope of the operation. */
export function missingScope(kind: 'API key' | 'service token', scope: string): Problem {
  return new Problem('forbidden', { detail: `The ${kind} does not have the scope ${scope}.` });
}

/** A credential used from an address that it is not for. */
export function wrongAddress(kind: 'API key' | 'service token'): Problem {
  return new Problem('forbidden', { detail: `The ${kind} does not work from this address.` });
}

/** An API key where the route takes an access token and, if it has a scope, a service token. */
export function keyOnBearerRoute(scope: string | null): Problem {
  const taken = scope === null ? 'an access token' : 'a service token or an access token';
  return new Problem('unauthenticated', {
    detail: `An API key works on /v1/notify/* only. Send ${taken} here.`,
  });
}

/**
 * The 401 of a request without a well-formed key. If the caller sent something else instead, or the key where this route does not take it,
 * `detail` names what to send.
 */
export function noKey(
  { authorization = '', 'x-api-key': key = '' }: IncomingHttpHeaders,
  inAuthorization: boolean,
): Problem {
  const bearer = /^Bearer +(\S+)/i.exec(authorization)?.[1] ?? '';
  const detail = mistakenFor(String(key), bearer, inAuthorization);
  return new Problem('invalid-api-key', detail === null ? {} : { detail });
}

function mistakenFor(key: string, bearer: string, inAuthorization: boolean): string | null {
  if (bearer.startsWith(keyPrefix))
    return inAuthorization ? null : 'Send the API key in the header X-Api-Key.';
  const isToken = key === '' ? bearer !== '' : key.startsWith(tokenPrefix) || jwtForm.test(key);
  return isToken
    ? 'A service token or an access token does not work on /v1/notify/*. Send an API key here.'
    : null;
}

/** The form of an access token: three parts in base64url (RFC 7519). */
const jwtForm = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;
