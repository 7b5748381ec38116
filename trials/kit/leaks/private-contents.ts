import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';

/** Something that no process may show: what it is, and how it could be written. */
export interface Private {
  readonly what: string;
  readonly forms: readonly string[];
}

/** A shorter one would be found by chance. */
const shortest = 8;

/** Every text, number, chat and name of people that the run stored, with messages in both directions. */
export async function privateContents(db: Db): Promise<Private[]> {
  const { rows } = await sql<{ value: string | null }>`
    select recipient as value from messages
    union select body->>'text' from messages
    union select contact from conversations
    union select address from conversations
    union select words.value from conversations, json_each_text(profile) words`.execute(db);
  return rows.flatMap(({ value }) => toPrivate(value ?? ''));
}

/** The ways to write one text or address. Empty for one that is too short to be searched for. */
export function toPrivate(value: string): Private[] {
  if (value.length < shortest) return [];
  const bare = value.replace(/^\+/, '');
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const forms = [
    value,
    bare,
    inJson(value),
    inJson(inJson(value)),
    encodeURIComponent(value),
    formEncoded(value),
  ];
  return [{ what: value, forms: [...new Set([...forms, ...base64Of(bare)])] }];
}

function formEncoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2);
}

/** The characters of base64 that depend on the value alone, at each of the three places that it may have in a text. */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Begins every form, so that a text is searched once for many forms. */
const anchorLength = 6;

/** Finds forms of many contents in texts. */
export interface Search {
  /** The contents that stand in the text. */
  in(text: string): readonly string[];
}

/** Prepares a search. A form of digits counts only where no letter or digit is beside it. */
export function searchFor(contents: readonly Private[]): Search {
  const byAnchor = new Map<string, Map<number, Map<string, string>>>();
  for (const { what, forms } of contents)
    for (const form of forms) {
      const byLength = mapIn(byAnchor, form.slice(0, anchorLength));
      mapIn(byLength, form.length).set(form, what);
    }
  return {
    in(text) {
      const found = new Set<string>();
      for (const [anchor, byLength] of byAnchor)
        for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + 1))
          for (const what of formsAt(text, at, byLength)) found.add(what);
      return [...found];
    },
  };
}

/** What stands at a place of the text. */
function formsAt(
  text: string,
  at: number,
  byLength: ReadonlyMap<number, ReadonlyMap<string, string>>,
): string[] {
  return Array.from(byLength).flatMap(([length, forms]) => {
    const what = forms.get(text.slice(at, at + length));
    return what !== undefined && standsAlone(text, at, length) ? what : [];
  });
}

function mapIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<L, V>();
  maps.set(key, made);
  return made;
}

function standsAlone(text: string, at: number, length: number): boolean {
  if (!/^\d+$/.test(text.slice(at, at + length))) return true;
  return !/[\da-z.]/i.test(text.charAt(at - 1)) && !/[\da-z]/i.test(text.charAt(at + length));
}

/** Something private in what a process has shown. */
export interface Shown {
  readonly file: string;
  readonly what: string;
}

/**
 * Searches what the processes have shown: every file of the folder, so the logs, the metrics, and whatever else a run
 * keeps there, such as spans. Not the log of Postgres, which is not ours and may quote the values of a failed statement.
 */
export async function findPrivate(folder: string, contents: readonly Private[]): Promise<Shown[]> {
  const search = searchFor(contents);
  const shown: Shown[] = [];
  for (const file of await readdir(folder)) {
    if (file === 'postgres.log') continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    shown.push(...search.in(text).map((what) => ({ file, what })));
  }
  return shown;
}
