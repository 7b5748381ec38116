import { openDb } from '../../../src/connection/index.ts';
import { migrate } from '../../../src/maintenance/index.ts';
import { addsColumn, addsIndex, migrationsAnd } from './drill-migrations.ts';

// A process that migrates a database, for tests that kill it. It writes its progress, one JSON a line.
const [url = '', which] = process.argv.slice(2);
const db = openDb(url, { connectTimeoutMs: 60_000 });
const migrations = await migrationsAnd(which === 'index' ? addsIndex : addsColumn);
await migrate(db, { migrations, onEvent: (event) => console.log(JSON.stringify(event)) });
await db.destroy();
