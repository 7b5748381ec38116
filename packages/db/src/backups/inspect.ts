import type { Db } from '../connection/connect.ts';
import type { PartitionFigures } from '../operations/figures.ts';
import { lookAtPartitions } from '../operations/stock.ts';
import { type Ages, readAges, readLastHeartbeat } from './ages.ts';
import { look, type Looked } from './look.ts';
import { countRows, type TableRows } from './row-counts.ts';
import { readSchemaState, type SchemaState } from './schema-state.ts';
import { readServer, type ServerFacts } from './server.ts';
import { type SpotCheck, spotCheck, type SpotCheckName, spotCheckNames } from './spot-checks.ts';

/** What a database says about itself as a backup, apart from its secrets. */
export interface Inspection {
  readonly server: Looked<ServerFacts>;
  readonly schema: Looked<SchemaState>;
  readonly partitions: Looked<readonly PartitionFigures[]>;
  readonly rows: Looked<readonly TableRows[]>;
  readonly ages: Looked<Ages>;
  readonly lastHeartbeat: Looked<Date | null>;
  readonly checks: readonly { readonly name: SpotCheckName; readonly looked: Looked<SpotCheck> }[];
}

/**
 * Looks at a database, one thing after the other. Changes nothing, and reads a bounded number of rows of the large tables.
 * Works on a standby, and on a server that still recovers.
 */
export async function inspect(db: Db): Promise<Inspection> {
  const server = await look(db, readServer);
  const isInRecovery = server.kind === 'found' && server.found.isInRecovery;
  const checks: { name: SpotCheckName; looked: Looked<SpotCheck> }[] = [];
  for (const name of spotCheckNames)
    checks.push({ name, looked: await look(db, (trx) => spotCheck(trx, name), { byIndex: true }) });
  return {
    server,
    schema: await look(db, readSchemaState),
    partitions: await look(db, lookAtPartitions),
    rows: await look(db, countRows),
    ages: await look(db, readAges),
    // A server that recovers cannot read unlogged tables.
    lastHeartbeat: isInRecovery ? { kind: 'found', found: null } : await look(db, readLastHeartbeat),
    checks,
  };
}
