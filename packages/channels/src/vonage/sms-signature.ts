import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Fields } from './inbound.ts';
import { isRecent } from './signature.ts';

type Sign = (secret: string, signed: string) => string;

const hmac =
  (algorithm: string): Sign =>
  (secret, signed) =>
    createHmac(algorithm, secret).update(signed).digest('hex');

const methods: readonly Sign[] = [
  (secret, signed) =>
    createHash('md5')
      .update(signed + secret)
      .digest('hex'),
  hmac('md5'),
  hmac('sha1'),
  hmac('sha256'),
  hmac('sha512'),
];

/**
 * Checks the field `sig` of a callback of the SMS API (developer.vonage.com/en/getting-started/concepts/signing-messages):
 * a hash of all other fields, sorted by name, with the account's signature secret. The account's page chooses one of five
 * methods; each needs the secret, so all are tried. `timestamp` must be at most a day old.
 */
export function hasSignature(fields: Fields, secret: string, nowSeconds: number): boolean {
  const given = textOf(fields['sig']).toLowerCase();
  if (!/^[0-9a-f]{32,128}$/.test(given) || !isRecent(Number(textOf(fields['timestamp'])), nowSeconds))
    return false;
  const signed = Object.keys(fields)
    .filter((name) => name !== 'sig')
    .sort()
    .map((name) => `&${name}=${textOf(fields[name]).replace(/[&=]/g, '_')}`)
    .join('');
  return methods.some((sign) => isSame(given, sign(secret, signed)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
