import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** One attempt at a delivery to sign. */
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

/** A value for each header, by its name in lower case. */
export type SignatureHeaders = Record<
  'x-svc-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>;

/** The two keys of one secret. */
interface Keys {
  /** For the body alone: the bytes of the secret as it was shown. */
  readonly whole: KeyObject;
  /** For Standard Webhooks: the decoded base64 part. */
  readonly decoded: KeyObject;
}

const prefix = 'whsec_';
const maxRemembered = 1_000;
const remembered = new Map<string, Keys>();

/**
 * The headers that let a receiver check a delivery: `X-Svc-Signature`, HMAC-SHA256 in hex over the body, keyed with the
 * bytes of the secret as it was shown; and the three of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md), keyed with its decoded
 * base64 part. Each signature header carries one value per secret.
 */
export function signatureHeaders({ secrets, id, at, body }: Signed): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const head = `${id}.${timestamp}.`;
  const keys = secrets.map(keysOf);
  return {
    'x-svc-signature': keys.map(({ whole }) => `sha256=${hmac(whole, [body], 'hex')}`).join(','),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(({ decoded }) => `v1,${hmac(decoded, [head, body], 'base64')}`).join(' '),
  };
}

function hmac(key: KeyObject, content: readonly (string | Buffer)[], encoding: 'hex' | 'base64'): string {
  const made = createHmac('sha256', key);
  for (const part of content) made.update(part);
  return made.digest(encoding);
}

/**
 * Key objects, because Node 24 takes 15 µs and more over a key that is a buffer. Those of recent secrets are cached.
 */
function keysOf(secret: string): Keys {
  const known = remembered.get(secret);
  if (known !== undefined) return known;
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const keys = { whole: createSecretKey(secret, 'utf8'), decoded: createSecretKey(encoded, 'base64') };
  if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!);
  remembered.set(secret, keys);
  return keys;
}
