import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 bits in base62: 62⁴³ > 2²⁵⁶. */
const secretLength = 43;
/** 32 bits in base62: 62⁶ > 2³². */
const checksumLength = 6;

/** The form of a kind of credential. */
export interface SecretText {
  /** A new credential: the prefix, 256 random bits, and their CRC-32, so that scanners recognise it and typing errors show. */
  readonly make: () => string;
  /** Whether a text can be such a credential at all, by its form and its checksum. */
  readonly isWellFormed: (text: string) => boolean;
}

/** The credentials that begin with a prefix. */
export function secretText(prefix: string): SecretText {
  const shape = new RegExp(`^${prefix}([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`);
  return {
    make() {
      const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength);
      return `${prefix}${secret}${checksum(secret)}`;
    },
    isWellFormed(text) {
      const [, secret = '', sum] = shape.exec(text) ?? [];
      return sum !== undefined && checksum(secret) === sum;
    },
  };
}

/** The hash of a credential, which is all the database holds of it. */
export function hashSecret(secret: string): Buffer {
  return Buffer.from(nameSecret(secret), 'base64');
}

/** The same hash in base64, its name in memory. Node 24 hashes to text three times as fast as to a buffer. */
export function nameSecret(secret: string): string {
  return hash('sha256', secret, 'base64');
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)]! + text;
  return text;
}
