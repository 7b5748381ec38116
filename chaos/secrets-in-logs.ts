import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Where a secret stands in a log: the file, and enough of the secret to know which. */
export interface Leak {
  readonly file: string;
  readonly secret: string;
}

/** Searches every file of the folder for every secret, as it is and percent-encoded. */
export async function findLeaks(folder: string, secrets: readonly string[]): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const secret of secrets.filter((one) => isIn(text, one)))
      leaks.push({ file, secret: `${secret.slice(0, 10)}…` });
  }
  return leaks;
}

/** Shorter ones would be found by chance, and an empty one everywhere: somebody forgot to keep what it really was. */
const shortestSecret = 12;

function isIn(text: string, secret: string): boolean {
  if (secret.length < shortestSecret) throw new Error('a secret is too short to be searched for');
  return text.includes(secret) || text.includes(encodeURIComponent(secret));
}
