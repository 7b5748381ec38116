import path from 'node:path';
import { openDb } from '@notify/db/connection';
import { migrate, type MigrationEvent, readMigrations } from '@notify/db/maintenance';

// Migrates the database of the first argument as `migrate` does, and on to the migrations of the drill.

const [url = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../../..');
const folders = [path.join(root, 'migrations'), path.join(import.meta.dirname, 'migrations')];
const db = openDb(url, { applicationName: 'upgrade-drill', maxConnections: 5, connectTimeoutMs: 60_000 });
let told = '';

function tell(event: MigrationEvent): void {
  const line = lineOf(event);
  if (line !== told) console.log(line);
  told = line;
}

function lineOf(event: MigrationEvent): string {
  switch (event.kind) {
    case 'began':
      return `  ${event.number}/${event.of} ${event.name}`;
    case 'applied':
      return `    done in ${(event.tookMs / 1_000).toFixed(1)} s`;
    case 'waits':
      return `    waits for pid ${event.inTheWay.map(({ pid, statement }) => `${pid}: ${statement}`).join(', ')}`;
    case 'builds':
      return `    index ${event.build.index}: ${event.build.phase}`;
    case 'queued':
      return '    another migrate runs';
  }
}

try {
  const migrations = (await Promise.all(folders.map(readMigrations))).flat();
  const applied = await migrate(db, { migrations, onEvent: tell });
  console.log(`  applied ${applied.length} migrations`);
} finally {
  await db.destroy();
}
