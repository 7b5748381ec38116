import { createHash, createHmac } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';

/** Where something was found, and in which form. */
export interface Leak {
  readonly place: string;
  readonly form: string;
}

/** A row of a database, as text. */
export interface DumpedRow {
  readonly table: string;
  /** Every value of it, as Postgres writes it: bytes as `\x…`. */
  readonly values: readonly string[];
}

/** Every row of every table of a database, partitions once. */
export async function dumpRows(db: Db): Promise<DumpedRow[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(
    db,
  );
  const dumped: DumpedRow[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    for (const { row } of rows) dumped.push({ table: `${schema}.${name}`, values: textsIn(row) });
  }
  return dumped;
}

/** Every text, number and flag in a value, also in the JSON that a text holds. */
function textsIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(textsIn);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!/^\s*[[{]/.test(text)) return [text];
  try {
    return [text, ...textsIn(JSON.parse(text))];
  } catch {
    return [text];
  }
}

/** The forms in which a secret of ASCII characters may stand in a text: as it is, encoded for a URL, in base64, in hex. */
export function formsOf(secret: string): ReadonlyMap<string, string> {
  const everyByte = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
  return new Map([
    ['raw', secret],
    ['URL-encoded', everyByte.map((hex) => `%${hex}`).join('')],
    ['hex', everyByte.join('')],
    ['UTF-16', everyByte.map((hex) => `${hex}00`).join('')],
    ...[0, 1, 2].map((offset) => [`base64, ${offset}`, base64Within(secret, offset)] as const),
  ]);
}

/** What base64 has of a secret that begins so many bytes after a whole group, whatever stands beside it. */
function base64Within(secret: string, offset: number): string {
  const text = Buffer.from(' '.repeat(offset) + secret).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + secret.length) * 8) / 6));
}

/** The forms of the secrets that stand in a text. */
export function leaksInText(place: string, text: string, secrets: readonly string[]): Leak[] {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return secrets.flatMap((secret) =>
    [...formsOf(secret)]
      .filter(
        ([, form]) => text.includes(form) || standard.includes(form) || text.toLowerCase().includes(form),
      )
      .map(([form]) => ({ place, form })),
  );
}

/** The secrets that a dump holds: in its texts and bytes, or in hashes that anybody could make again. */
export function leaksInRows(
  rows: readonly DumpedRow[],
  secrets: readonly string[],
  texts: readonly string[],
): Leak[] {
  return rows.flatMap(({ table, values }) => [
    ...values.flatMap((value) => [
      ...leaksInText(table, value, secrets),
      ...bytesOf(value).flatMap((bytes) =>
        leaksInText(`${table}, decoded`, bytes.toString('latin1'), secrets),
      ),
    ]),
    ...unkeyedHashes(table, values, secrets, texts),
  ]);
}

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;
const separators = ['', ':', '.'] as const;
/** Longer values of a row are no salts. */
const longestSalt = 64;

/**
 * Stored values of 16 to 64 bytes that are a hash of a secret, or of a text with it, and of nothing that the row does not hold: alone,
 * once or twice over, beside another value of the row in either order, or keyed with one.
 */
function unkeyedHashes(
  table: string,
  values: readonly string[],
  secrets: readonly string[],
  texts: readonly string[],
): Leak[] {
  const stored = new Set(values.flatMap((value) => hashesIn(value)).map((bytes) => bytes.toString('hex')));
  if (stored.size === 0) return [];
  const all = values.flatMap((value) => [value, ...bytesOf(value).map((bytes) => bytes.toString('latin1'))]);
  const salts = [...new Set(all)]
    .filter(({ length }) => length > 0 && length <= longestSalt)
    .map((salt) => Buffer.from(salt, 'latin1'));
  return [...new Set([...secrets, ...texts])].flatMap((secret) =>
    algorithms.flatMap((algorithm) =>
      [...hashesOf(algorithm, secret, salts)]
        .filter((hash) => stored.has(hash))
        .map(() => ({ place: table, form: `${algorithm} of ${secret.length} characters` })),
    ),
  );
}

/** The hashes in hex that a secret may have beside these salts, once and twice over. */
function* hashesOf(algorithm: string, secret: string, salts: readonly Buffer[]): Generator<string> {
  const plain = [secret, JSON.stringify(secret), JSON.stringify({ text: secret })];
  for (const one of plain) {
    const once = createHash(algorithm).update(one).digest();
    yield once.toString('hex');
    yield createHash(algorithm).update(once).digest('hex');
    yield createHash(algorithm).update(once.toString('hex')).digest('hex');
  }
  for (const salt of salts) {
    for (const separator of separators) {
      yield createHash(algorithm).update(salt).update(separator).update(secret).digest('hex');
      yield createHash(algorithm).update(secret).update(separator).update(salt).digest('hex');
    }
    yield createHmac(algorithm, salt).update(secret).digest('hex');
    yield createHmac(algorithm, secret).update(salt).digest('hex');
  }
}

const uuid = /^(?:[a-z]+_)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The values in a text that may be hashes: bytes, hex or base64, and no IDs of ours. */
function hashesIn(value: string): Buffer[] {
  if (uuid.test(value)) return [];
  return bytesOf(value).filter(({ length }) => length >= 16 && length <= 64);
}

/** What a text may be an encoding of. The version of a sealed value stands before its base64. */
function bytesOf(value: string): Buffer[] {
  if (value.startsWith('\\x')) return [Buffer.from(value.slice(2), 'hex')];
  const text = value.replace(/^v\d+\./, '');
  return [
    ...(/^[0-9a-f]{16,}$/i.test(text) && text.length % 2 === 0 ? [Buffer.from(text, 'hex')] : []),
    ...(/^[\w+/-]{16,}={0,2}$/.test(text)
      ? [Buffer.from(text, 'base64'), Buffer.from(text, 'base64url')]
      : []),
  ];
}
