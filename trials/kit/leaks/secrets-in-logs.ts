import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A secret in a log: the file, and enough of the secret to recognise it. */
export interface Leak {
  readonly file: string;
  readonly secret: string;
}

/** Searches every file of the folder for every secret, plain and percent-encoded. */
export async function findLeaks(folder: string, secrets: readonly string[]): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const secret of secrets.filter((one) => isIn(text, one)))
      leaks.push({ file, secret: `${secret.slice(0, 10)}…` });
  }
  return leaks;
}

/** A shorter secret would be found by chance, and an empty one everywhere: then a secret was not kept. */
const shortestSecret = 12;

function isIn(text: string, secret: string): boolean {
  if (secret.length < shortestSecret) throw new Error('a secret is too short to be searched for');
  return text.includes(secret) || text.includes(encodeURIComponent(secret));
}
