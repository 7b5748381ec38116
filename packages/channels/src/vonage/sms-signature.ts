import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Fields } from './vonage-inbound.ts';
import { isRecent } from './signature.ts';

type Sign = (secret: string, signed: Buffer) => string;

const hmac =
  (algorithm: string): Sign =>
  (secret, signed) =>
    createHmac(algorithm, secret).update(signed).digest('hex');

const methods: readonly Sign[] = [
  (secret, signed) => createHash('md5').update(signed).update(secret).digest('hex'),
  hmac('md5'),
  hmac('sha1'),
  hmac('sha256'),
  hmac('sha512'),
];
/** The methods by the length of what they make, so that a long forged callback is hashed once or twice. */
const byLength = Map.groupBy(methods, (sign) => sign('', Buffer.alloc(0)).length);

/**
 * Checks the field `sig` of a callback of the SMS API (developer.vonage.com/en/getting-started/concepts/signing-messages):
 * a hash of all other fields, sorted by name, with the account's signature secret. The account's page chooses one of five
 * methods; each needs the secret, so all that make a hash of that length are tried. `timestamp` must be at most a day old.
 */
export function hasSignature(fields: Fields, secret: string, nowSeconds: number): boolean {
  const given = textOf(fields['sig']).toLowerCase();
  if (!/^[0-9a-f]{32,128}$/.test(given) || !isRecent(Number(textOf(fields['timestamp'])), nowSeconds))
    return false;
  const signed = Buffer.concat(
    Object.keys(fields)
      .filter((name) => name !== 'sig')
      .sort()
      .flatMap((name) => [Buffer.from(`&${name}=`), withoutSigns(textOf(fields[name]))]),
  );
  return (byLength.get(given.length) ?? []).some((sign) => isSame(given, sign(secret, signed)));
}

const [ampersand, equals, underscore] = [0x26, 0x3d, 0x5f];

/** The bytes of a value with `_` for each `&` and `=`. */
function withoutSigns(value: string): Buffer {
  const bytes = Buffer.from(value);
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] === ampersand || bytes[at] === equals) bytes[at] = underscore;
  return bytes;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
