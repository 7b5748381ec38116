import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Migration } from './migration.ts';

const folder = path.resolve(import.meta.dirname, '../../../../../migrations');
/** A migration that was packed is JavaScript. */
const file = /^(\d{4}_\w+)\.[jt]s$/;

let known: Promise<readonly Migration[]> | null = null;

/** The migrations of this code, in their order. Reads the files once. Rejects if one lacks a declaration. */
export function knownMigrations(): Promise<readonly Migration[]> {
  return (known ??= readMigrations(folder));
}

/** The migrations of a folder, in their order. */
export async function readMigrations(from: string): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => file.test(name)).toSorted();
  return Promise.all(names.map((name) => readMigration(path.join(from, name))));
}

async function readMigration(at: string): Promise<Migration> {
  const name = path.basename(at).replace(/\.[jt]s$/, '');
  const exported = (await import(at)) as Partial<Migration>;
  const { transaction, compatibleFrom, locks, up } = exported;
  if (typeof transaction !== 'boolean' || typeof locks !== 'object' || typeof up !== 'function')
    throw new Error(`migration ${name} must export transaction, compatibleFrom, locks and up`);
  if (!/^\d+\.\d+\.\d+$/.test(compatibleFrom ?? ''))
    throw new Error(`migration ${name} must export compatibleFrom, a version such as '0.1.0'`);
  return { name, transaction, compatibleFrom: compatibleFrom!, locks, up };
}
