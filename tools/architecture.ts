import path from 'node:path';
import * as databaseRooms from './architecture/database-rooms.ts';
import * as dependencyRules from './architecture/dependency-rules.ts';
import * as logRules from './architecture/log-rules.ts';
import { everyFileHasARoom, roomsImportDownwards, sheetOf } from './architecture/rooms.ts';
import * as sourceRules from './architecture/source-rules.ts';
import { readTree } from './architecture/tree.ts';

/** One line for every place under `root` that breaks a rule of the architecture. */
export async function violations(root: string): Promise<string[]> {
  const tree = await readTree(root);
  const rules = [dependencyRules, sourceRules, logRules, databaseRooms].flatMap((some) =>
    Object.values(some),
  );
  rules.push(everyFileHasARoom, roomsImportDownwards);
  const found = rules.flatMap((rule) => rule(tree));
  return [...new Set(found)].sort();
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const found = await violations(root);
  console.log(found.join('\n') || 'The architecture holds.');
  console.log(sheetOf('apps/api/src', await readTree(root)).join('\n'));
  process.exitCode = found.length > 0 ? 1 : 0;
}
