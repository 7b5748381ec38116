import { createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import type { MasterKey } from '../settings/setting-kinds.ts';

/** The keyed hash of a one-time code, and what is needed to compare another code with it. */
export interface HashedCode {
  readonly hash: Buffer;
  readonly salt: Buffer;
  /** The version of the master key that its key is derived from. */
  readonly keyVersion: number;
}

/** Makes one-time codes, and hashes them under keys that the database never sees. */
export interface OneTimeCodes {
  /** A code of so many digits, each equally likely. */
  make(digits: number): string;
  /** The hash of a code for one verification, under the newest key and its own salt. */
  hash(code: string, verificationId: string): HashedCode;
  /** The hash that the code of a verification must have. Null if the master key of that version is gone. */
  hashAgain(
    code: string,
    verificationId: string,
    { salt, keyVersion }: Pick<HashedCode, 'salt' | 'keyVersion'>,
  ): Buffer | null;
  /** The version of the key that hashes new codes. */
  readonly keyVersion: number;
}

/** Keeps this key apart from every other that is derived from a master key (RFC 5869, 3.2). */
const label = 'notify one-time codes v1';
const saltBytes = 16;

/**
 * One-time codes under keys derived from these master keys (HKDF-SHA-256). The first one hashes, all of them compare. Throws
 * without a key. A code has at most 10¹⁰ values, so a hash without a secret key would give it away.
 */
export function createOneTimeCodes(masterKeys: readonly MasterKey[]): OneTimeCodes {
  const [newest] = masterKeys;
  if (newest === undefined) throw new Error('at least one master key is needed');
  const keys = new Map(
    masterKeys.map(({ version, key }) => [version, Buffer.from(hkdfSync('sha256', key, '', label, 32))]),
  );
  const keyed = (key: Buffer, salt: Buffer, verificationId: string, code: string): Buffer =>
    createHmac('sha256', key).update(salt).update(`${verificationId}:${code}`).digest();
  return {
    make: (digits) => Array.from({ length: digits }, () => randomInt(10)).join(''),
    hash(code, verificationId) {
      const salt = randomBytes(saltBytes);
      const hash = keyed(keys.get(newest.version)!, salt, verificationId, code);
      return { hash, salt, keyVersion: newest.version };
    },
    hashAgain(code, verificationId, { salt, keyVersion }) {
      const key = keys.get(keyVersion);
      return key === undefined ? null : keyed(key, salt, verificationId, code);
    },
    keyVersion: newest.version,
  };
}
