import {
  readSealed,
  replaceSealed,
  type Resealed,
  type SealedColumn,
  sealedColumns,
} from '@notify/db/maintenance';
import { pendingUnderOtherKeys } from '@notify/db/verifications';
import { SecretError, type Secrets } from '@notify/runtime';
import { type Command, CommandError, type OperatorDeps } from './command.ts';
import { list } from './rows.ts';

/** Rows of one batch. Each batch is its own transaction, so that row locks are short. */
const batchRows = 200;
/**
 * A pass that finds nothing to do is the last. If more passes are needed, some process keeps encrypting with another
 * key.
 */
const mostPasses = 10;

export const rotateMasterKeyCommand: Command = {
  name: 'rotate-master-key',
  words: [],
  options: {},
  about:
    'Re-encrypts every stored secret with the first of MASTER_KEYS, so the others can be removed. The service can keep running.',
  async run(_input, deps) {
    const secrets = await deps.secrets();
    const counts: Record<string, number> = {};
    const faults: string[] = [];
    for (const column of sealedColumns) {
      const done = await resealColumn(column, secrets, deps);
      counts[nameOf(column)] = done.resealed;
      if (done.unreadable > 0) faults.push(`${nameOf(column)} ${done.unreadable} (${done.fault})`);
    }
    if (faults.length > 0) throw new CommandError(`${notAll(counts)}: ${faults.join(', ')}`);
    const codes = await codesUnderOtherKeys(deps);
    const text = `${list(counts)}\nAll secrets are encrypted with the first of MASTER_KEYS. ${codes.text}`;
    return { value: { resealed: counts, oldKeysNeededUntil: codes.until?.toISOString() ?? null }, text };
  },
};

/**
 * Whether the other keys may go. A code that was sent is stored as a keyed hash only, which cannot be made anew. It is gone within the
 * hour, so nothing has to be done but to wait.
 */
async function codesUnderOtherKeys({
  db,
  keyNames,
}: OperatorDeps): Promise<{ readonly until: Date | null; readonly text: string }> {
  const { masterKeys } = await keyNames();
  const { count, until } = await pendingUnderOtherKeys(db, Number(masterKeys[0]));
  if (until === null) return { until, text: 'The others can be removed.' };
  return {
    until,
    text: `The others are needed for ${count} one-time codes until ${until.toISOString()}; then they can be removed.`,
  };
}

function notAll(counts: Readonly<Record<string, number>>): string {
  const resealed = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `keep the old keys: ${resealed} secrets were re-encrypted, but these could not be decrypted`;
}

function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}

interface Pass {
  /** Values that are now encrypted with the first key. */
  readonly resealed: number;
  /** Values that another process wrote in the meantime, with any key. */
  readonly overtaken: number;
  readonly unreadable: number;
  /** Why the first unreadable value cannot be decrypted. */
  readonly fault: string;
}

/** Passes over the column until a pass finds nothing to do. An interruption loses nothing. */
async function resealColumn(column: SealedColumn, secrets: Secrets, deps: OperatorDeps): Promise<Pass> {
  let resealed = 0;
  for (let number = 1; number <= mostPasses; number += 1) {
    const pass = await passOver(column, secrets, deps);
    resealed += pass.resealed;
    if (pass.resealed + pass.overtaken === 0) return { ...pass, resealed };
  }
  throw new CommandError(
    `${nameOf(column)} is still being encrypted with another key: set the same first key in every process, then try again`,
  );
}

async function passOver(column: SealedColumn, secrets: Secrets, { db }: OperatorDeps): Promise<Pass> {
  let [resealed, overtaken, unreadable, fault] = [0, 0, 0, ''];
  for (let afterId: string | null = null; ;) {
    const values = await readSealed(db, column, afterId, batchRows);
    const outcomes = values.map(({ id, tenantId, sealed }) =>
      reseal(sealed, { tenantId, row: id, ...column }, secrets),
    );
    const found = outcomes.filter((outcome) => outcome !== null);
    const replacements = found.filter((outcome) => typeof outcome !== 'string');
    const faults = found.filter((outcome) => typeof outcome === 'string');
    const replaced = replacements.length === 0 ? 0 : await replaceSealed(db, column, replacements);
    resealed += replaced;
    overtaken += replacements.length - replaced;
    unreadable += faults.length;
    fault ||= faults[0] ?? '';
    afterId = values.at(-1)?.id ?? null;
    if (values.length < batchRows) return { resealed, overtaken, unreadable, fault };
  }
}

/** The value encrypted with the first key. Null if it already is; the reason as text if it cannot be decrypted. */
function reseal(
  sealed: string,
  place: Parameters<Secrets['open']>[1],
  secrets: Secrets,
): Resealed | string | null {
  try {
    if (!secrets.needsResealing(sealed)) return null;
    return { id: place.row, from: sealed, to: secrets.seal(secrets.open(sealed, place), place) };
  } catch (error) {
    if (error instanceof SecretError) return `${place.row}: ${error.message}`;
    throw error;
  }
}
