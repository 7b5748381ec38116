import { look, type Looked } from '@notify/db/backups';
import type { Db } from '@notify/db/connection';
import { countSealed, readSealed, type SealedColumn, sealedColumns } from '@notify/db/maintenance';
import { SecretError, type Secrets } from '@notify/runtime';

/** The stored secrets of one column, and what became of them when they were opened. */
export interface ColumnKeys {
  readonly name: string;
  /** Values by the version of the master key that sealed them. */
  readonly byVersion: ReadonlyMap<string, number>;
  /** Values that were opened, or could not be. At most `mostOpened`. */
  readonly tried: number;
  readonly unreadable: number;
  /** Why the first unreadable value does not open. */
  readonly fault: string | null;
}

/** Values of one column that are opened. Of more, those of the first rows are. */
export const mostOpened = 10_000;
const batchRows = 500;

/** Opens what is stored, with the keys of `secrets`. Leaves out columns that an older schema lacks. */
export async function tryKeys(db: Db, secrets: Secrets): Promise<Looked<readonly ColumnKeys[]>> {
  const tried: ColumnKeys[] = [];
  for (const column of sealedColumns) {
    const looked = await look(db, (trx) => tryColumn(trx, column, secrets));
    if (looked.kind === 'failed') return looked;
    if (looked.kind === 'found') tried.push(looked.found);
  }
  return { kind: 'found', found: tried };
}

async function tryColumn(db: Db, column: SealedColumn, secrets: Secrets): Promise<ColumnKeys> {
  const byVersion = await countSealed(db, column);
  let [tried, unreadable, fault] = [0, 0, null as string | null];
  for (let afterId: string | null = null; tried < mostOpened;) {
    const values = await readSealed(db, column, afterId, batchRows);
    for (const { id, tenantId, sealed } of values) {
      const why = whyUnreadable(secrets, sealed, { tenantId, row: id, ...column });
      if (why !== null) unreadable += 1;
      fault ??= why;
    }
    tried += values.length;
    if (values.length < batchRows) break;
    afterId = values.at(-1)!.id;
  }
  return { name: `${column.table}.${column.column}`, byVersion, tried, unreadable, fault };
}

function whyUnreadable(
  secrets: Secrets,
  sealed: string,
  place: Parameters<Secrets['open']>[1],
): string | null {
  try {
    secrets.open(sealed, place);
    return null;
  } catch (error) {
    if (error instanceof SecretError) return error.message;
    throw error;
  }
}
