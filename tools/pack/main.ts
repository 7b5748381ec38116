import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { isLibrary, libraries, packLibraries } from './library.ts';
import { packServer } from './server.ts';

// `npm run pack -- sdk cli server` makes the packages that integrators install, as tarballs in `dist`. By default all.

const root = path.resolve(import.meta.dirname, '../..');
const to = path.join(root, 'dist');
const packable: readonly string[] = [...libraries, 'server'];

const given = process.argv.slice(2);
const unknown = given.find((name) => !packable.includes(name));
if (unknown === undefined) await pack(given.length === 0 ? packable : given);
else {
  console.error(`unknown package "${unknown}"; one of ${packable.join(', ')}`);
  process.exitCode = 1;
}

async function pack(names: readonly string[]): Promise<void> {
  mkdirSync(to, { recursive: true });
  const tarballs = await packLibraries(names.filter(isLibrary), to);
  if (names.includes('server')) tarballs.push(packServer(to));
  for (const tarball of tarballs) console.log(path.relative(root, tarball));
}
