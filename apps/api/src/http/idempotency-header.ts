import type { IncomingMessage } from 'node:http';
import { invalidRequest } from './problem.ts';
import type { Route } from './route.ts';

/** The name of the header as Node has it. */
const header = 'idempotency-key';
const at = `header/${header}`;
/** Headers carry ASCII safely. Other characters would arrive as different ones. */
const shape = /^[\x20-\x7e]{1,100}$/;

/**
 * The body of a send with the key of its header `Idempotency-Key`. Throws a Problem if the header is malformed, if it
 * differs from the body's `idempotencyKey`, or if the route has no single key.
 */
export function withHeaderKey(
  body: unknown,
  { idempotencyHeader }: Pick<Route, 'idempotencyHeader'>,
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
): unknown {
  if (idempotencyHeader === undefined || request.headers[header] === undefined) return body;
  if (idempotencyHeader === 'refused')
    throw invalidRequest({ at, message: 'must not be given: each message has an idempotencyKey of its own' });
  const [key = '', ...others] = request.headersDistinct[header] ?? [];
  if (others.length > 0) throw invalidRequest({ at, message: 'must be given once' });
  if (!shape.test(key)) throw invalidRequest({ at, message: 'must have 1 to 100 ASCII characters' });
  const { idempotencyKey } = body as { readonly idempotencyKey?: string };
  if (idempotencyKey !== undefined && idempotencyKey !== key)
    throw invalidRequest({ at, message: 'must be the same as body/idempotencyKey' });
  return { ...(body as object), idempotencyKey: key };
}
