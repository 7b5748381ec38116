import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../../problems/problem.ts';
import type { Route } from '../route.ts';

/** The name of the header as Node has it. */
const header = 'idempotency-key';
const at = `header/${header}`;
/** Headers carry ASCII safely. Other characters would arrive as different ones. */
const shape = /^[\x20-\x7e]{1,100}$/;
/** A string of a structured field (RFC 8941, 3.3.3): ASCII in quotes, with a backslash before a quote and a backslash. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The body of a send with the key of its header `Idempotency-Key`. The key may be written as it is, or in quotes as the IETF's
 * draft has it (draft-ietf-httpapi-idempotency-key-header): both are one key. Throws a Problem if the header is malformed, if it
 * differs from the body's `idempotencyKey`, or if the route has no single key.
 */
export function withHeaderKey(
  body: unknown,
  { idempotencyHeader }: Pick<Route, 'idempotencyHeader'>,
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
): unknown {
  if (idempotencyHeader === undefined || request.headers[header] === undefined) return body;
  if (idempotencyHeader === 'refused')
    throw invalidRequest({ at, message: 'must not be given: each message has its own idempotencyKey' });
  const [value = '', ...others] = request.headersDistinct[header] ?? [];
  if (others.length > 0) throw invalidRequest({ at, message: 'must be given once' });
  const key = keyOf(value);
  if (!shape.test(key)) throw invalidRequest({ at, message: 'must have 1 to 100 ASCII characters' });
  const { idempotencyKey } = body as { readonly idempotencyKey?: string };
  if (idempotencyKey !== undefined && idempotencyKey !== key)
    throw invalidRequest({ at, message: 'must be the same as body/idempotencyKey' });
  return { ...(body as object), idempotencyKey: key };
}

/** The key of a header. A value that begins with a quote is a whole string in quotes, or wrong. */
function keyOf(value: string): string {
  if (!value.startsWith('"')) return value;
  const inside = quoted.exec(value)?.[1];
  if (inside === undefined)
    throw invalidRequest({
      at,
      message: 'must end with the quote that closes it, and have \\ before each " and \\ inside',
    });
  return inside.replaceAll(/\\(["\\])/g, '$1');
}
