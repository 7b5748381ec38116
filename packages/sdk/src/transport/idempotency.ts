import type { SendOptions } from '../config.ts';
import { ConfigurationError } from '../errors.ts';

interface Keyed {
  readonly idempotencyKey?: string;
}

/**
 * A new idempotency key, for a program that may make a send again: after its own signal has ended the call, for example. The
 * service keeps a key for 7 days.
 */
export function newIdempotencyKey(): string {
  return `sdk-${crypto.randomUUID()}`;
}

/** A send with its key: the caller's, else a new one, which every try of this call then uses. */
export function withKey<Send extends Keyed>(
  send: Send,
  options: SendOptions = {},
): Send & { idempotencyKey: string } {
  const { idempotencyKey: own } = send;
  const { idempotencyKey: given } = options;
  if (own !== undefined && given !== undefined && own !== given)
    throw new ConfigurationError('The body and the options have different idempotency keys.');
  return { ...send, idempotencyKey: own ?? given ?? newIdempotencyKey() };
}
