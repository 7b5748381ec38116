import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** One attempt at a delivery, as it is signed. */
export interface Signed {
  /** The secrets that sign, newest first: `whsec_` and base64. */
  readonly secrets: readonly string[];
  /** The event's id, `evt_…`. */
  readonly id: string;
  /** When the attempt begins, by the database's clock. */
  readonly at: Date;
  /** The bytes that are posted. */
  readonly body: Buffer;
}

const prefix = 'whsec_';

/**
 * The headers that let a receiver check a delivery: `X-Svc-Signature`, HMAC-SHA256 in hex over the body, keyed with the
 * bytes of the secret as it was shown; and the three of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md), keyed with what its
 * base64 part stands for. Each carries one value per secret.
 */
export function signatureHeaders({ secrets, id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  return {
    'x-svc-signature': secrets.map((secret) => `sha256=${hmac(secret, body, 'hex')}`).join(','),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${hmac(keyOf(secret), content, 'base64')}`).join(' '),
  };
}

/** A key object, since Node 24 takes 15 µs and more over a key that is a buffer. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

function hmac(key: string | KeyObject, content: Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content).digest(encoding);
}
