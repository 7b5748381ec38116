import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from '../settings/setting-kinds.ts';

/** The place of a sealed value. It opens at this place only, so a copy in another row or tenant is worthless. */
export interface Place {
  readonly tenantId: string;
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** Seals values that must be unreadable in the database. */
export interface Secrets {
  /** Encrypts under the first master key: `v<version>.<base64url of nonce, tag, ciphertext>`. */
  seal(plain: string, place: Place): string;
  /** Decrypts with the master key that sealed it. Throws a SecretError. */
  open(sealed: string, place: Place): string;
  /** As `open`, but does not keep the value in memory. For values that are opened once. */
  openOnce(sealed: string, place: Place): string;
  /** Whether a key other than the first sealed it. Throws a SecretError if it is not a sealed value. */
  needsResealing(sealed: string): boolean;
}

/** Why a value does not open: it is not sealed, its key is unknown, or it was changed or belongs elsewhere. */
export type SecretFault = 'malformed' | 'unknown-version' | 'not-authentic';

/** A sealed value does not open. The text names version, table and column, never content. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: SecretFault;

  constructor(code: SecretFault, text: string) {
    super(text);
    this.code = code;
  }
}

const algorithm = 'aes-256-gcm';
/** 96 random bits for every seal: NIST SP 800-38D, 8.2.2. A key is good for 2³² of them (8.3). */
const nonceBytes = 12;
const tagBytes = 16;

/** The most opened values that are cached: those of the accounts and webhooks that a process works for. */
const maxRemembered = 1_000;
/** In characters. Settings can have a megabyte, too much to cache a thousand of them. Usual ones have a few hundred. */
const longestRemembered = 8_192;

/**
 * Secrets under these master keys. The first key seals. Throws without a key. Recently opened values are cached by
 * their sealed text and place, because a worker opens the same few for every message.
 */
export function createSecrets(masterKeys: readonly MasterKey[]): Secrets {
  const [newest] = masterKeys;
  if (newest === undefined) throw new Error('at least one master key is needed');
  const byVersion = new Map(masterKeys.map((masterKey) => [masterKey.version, masterKey.key]));

  const opened = new Map<string, { readonly plain: string; readonly place: Place }>();

  function remember(sealed: string, place: Place, plain: string): string {
    if (plain.length > longestRemembered) return plain;
    if (opened.size >= maxRemembered) opened.delete(opened.keys().next().value!);
    opened.set(sealed, { plain, place: { ...place } });
    return plain;
  }

  function decryptAt(sealed: string, place: Place): string {
    const { version, bytes } = parse(sealed);
    const key = byVersion.get(version);
    if (key === undefined) {
      throw new SecretError(
        'unknown-version',
        `sealed with master key version ${version}, which is not in MASTER_KEYS`,
      );
    }
    return decrypt(key, bytes, version, place);
  }

  return {
    seal(plain, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, newest.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(encodePlace(place));
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
      return `v${newest.version}.${bytes.toString('base64url')}`;
    },
    open(sealed, place) {
      const known = opened.get(sealed);
      if (known !== undefined && isSamePlace(known.place, place)) return known.plain;
      return remember(sealed, place, decryptAt(sealed, place));
    },
    openOnce: decryptAt,
    needsResealing: (sealed) => parse(sealed).version !== newest.version,
  };
}

function decrypt(key: Buffer, bytes: Buffer, version: number, place: Place): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(encodePlace(place));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const start = decipher.update(bytes.subarray(nonceBytes + tagBytes));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    const at = `${place.table}.${place.column}`;
    throw new SecretError(
      'not-authentic',
      `${at}, sealed with master key version ${version}, was changed or moved here`,
    );
  }
}

function parse(sealed: string): { version: number; bytes: Buffer } {
  const [, version = '', encoded = ''] = /^v([1-9]\d{0,8})\.([\w-]+)$/.exec(sealed) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  // Buffer ignores the unused bits of the last character, so only one spelling of a sealed value is accepted.
  const canonical = bytes.toString('base64url') === encoded;
  if (!canonical || bytes.length < nonceBytes + tagBytes)
    throw new SecretError('malformed', 'not a sealed value');
  return { version: Number(version), bytes };
}

/** As a JSON array, so that no two places share an encoding, whatever characters they contain. */
function encodePlace({ tenantId, table, row, column }: Place): Buffer {
  return Buffer.from(JSON.stringify([tenantId, table, row, column]));
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.tenantId === b.tenantId && a.row === b.row && a.column === b.column && a.table === b.table;
}
