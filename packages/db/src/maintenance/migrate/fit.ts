import type { Statements } from '../../connection/transact.ts';
import { knownMigrations } from './files.ts';
import type { Migration } from './migration.ts';
import { type Applied, readRecord } from './record.ts';
import { codeVersion, isBefore } from './version.ts';

/** What the schema lacks for this code, or has too much of. */
export type SchemaFault = 'migrations-pending' | 'schema-too-new';

/** The schema does not fit this code. The message says so in one sentence. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  /** Also tells programs that an operator can mend it, so that they print no stack. */
  readonly code: SchemaFault;

  constructor(code: SchemaFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Names of migrations that this code has and the database lacks. A process is ready only when there are none. */
export async function pendingMigrations(db: Statements): Promise<string[]> {
  return namesPending(await knownMigrations(), await readRecord(db));
}

/** Rejects with a `SchemaError` if the database has a migration after which this version of the code does not work. */
export async function demandNotTooNew(db: Statements): Promise<void> {
  refuseTooNew(await knownMigrations(), await readRecord(db));
}

/** Rejects if the database is unreachable, and with a `SchemaError` if its schema does not fit this code. */
export async function demandFit(db: Statements): Promise<void> {
  const [known, applied] = [await knownMigrations(), await readRecord(db)];
  refuseTooNew(known, applied);
  const pending = namesPending(known, applied);
  if (pending.length > 0)
    throw new SchemaError('migrations-pending', `migrations are pending: ${pending.join(', ')}`);
}

/** How the schema of a database and this code differ. */
export interface Fit {
  readonly applied: number;
  /** Migrations that this code has and the database lacks. */
  readonly pending: readonly string[];
  /** Why this code does not work with the schema, in one sentence: a newer version migrated it. Null if it does. */
  readonly tooNew: string | null;
}

/** Compares the schema with this code. Rejects if the database is unreachable. */
export async function readFit(db: Statements): Promise<Fit> {
  const [known, applied] = [await knownMigrations(), await readRecord(db)];
  return {
    applied: applied.length,
    pending: namesPending(known, applied),
    tooNew: whyTooNew(known, applied),
  };
}

function namesPending(known: readonly Migration[], applied: readonly Applied[]): string[] {
  const names = new Set(applied.map(({ name }) => name));
  return known.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Throws a `SchemaError` if a migration was applied that is unknown here, unless it says that this version can live with it. */
export function refuseTooNew(known: readonly Migration[], applied: readonly Applied[]): void {
  const why = whyTooNew(known, applied);
  if (why !== null) throw new SchemaError('schema-too-new', why);
}

function whyTooNew(known: readonly Migration[], applied: readonly Applied[]): string | null {
  const names = new Set(known.map(({ name }) => name));
  for (const { name, compatibleFrom } of applied) {
    if (names.has(name) || (compatibleFrom !== null && !isBefore(codeVersion, compatibleFrom))) continue;
    const needs = compatibleFrom === null ? 'a newer version' : `version ${compatibleFrom} or later`;
    return `the schema is too new for version ${codeVersion}: since migration ${name} it needs ${needs}`;
  }
  return null;
}
