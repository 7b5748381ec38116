import type { Inspection, Looked, SpotCheckName } from '@notify/db/backups';
import type { ColumnKeys } from './keys.ts';

/** What was found out about a database and its keys. */
export interface Verified extends Inspection {
  /** Null without a master key. */
  readonly keys: Looked<readonly ColumnKeys[]> | null;
  readonly masterKeys: readonly string[];
  readonly jwtSecrets: readonly string[];
}

/** What an operator has to know. */
export interface Findings {
  /** Each makes the backup unusable, or loses something. */
  readonly faults: readonly string[];
  /** What to do before the service starts on it. */
  readonly toDo: readonly string[];
}

const oldestServer = 180_000;

/** Judges what was found out. Pure. */
export function judge(verified: Verified): Findings {
  return {
    faults: [
      ...serverFaults(verified),
      ...keyFaults(verified),
      ...schemaFaults(verified),
      ...checkFaults(verified),
      ...failures(verified),
    ],
    toDo: toDo(verified),
  };
}

function serverFaults({ server }: Verified): string[] {
  if (server.kind !== 'found') return [];
  const { versionNumber, version, isInRecovery, collation, checksumFailures } = server.found;
  return [
    ...when(versionNumber < oldestServer, `Postgres 18 or later is needed; this server is ${version}.`),
    ...when(isInRecovery, 'The server is still in recovery, or a standby: it takes no writes.'),
    ...when(
      collation !== null,
      `Text was sorted by version ${collation?.made} of the collation library, and this server has ${collation?.here}: run "reindex database" and "alter database … refresh collation version".`,
    ),
    ...when(
      checksumFailures > 0,
      `${checksumFailures} pages had a wrong checksum: the files of the backup are damaged.`,
    ),
  ];
}

function keyFaults({ keys, masterKeys, jwtSecrets }: Verified): string[] {
  const columns = keys?.kind === 'found' ? keys.found : [];
  const missing = [...sumByVersion(columns)].filter(([version]) => !masterKeys.includes(version));
  return [
    ...when(
      keys === null,
      'MASTER_KEYS is not set: nobody can tell whether the stored secrets can be decrypted.',
    ),
    ...missing.map(([version, count]) =>
      version === 'none'
        ? `${count} stored secrets are no sealed values.`
        : `Master key ${version} is missing in MASTER_KEYS: ${count} stored secrets were sealed with it.`,
    ),
    ...columns
      .filter(({ unreadable }) => unreadable > 0)
      .map(
        ({ name, unreadable, tried, fault }) =>
          `${unreadable} of ${tried} secrets in ${name} do not open: ${fault}.`,
      ),
    ...when(jwtSecrets.length === 0, 'JWT_SECRETS is not set: no process starts without.'),
  ];
}

/** Stored secrets by the version of their master key, of all columns. */
export function sumByVersion(columns: readonly ColumnKeys[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const { byVersion } of columns)
    for (const [version, count] of byVersion) sum.set(version, (sum.get(version) ?? 0) + count);
  return sum;
}

function schemaFaults({ schema }: Verified): string[] {
  if (schema.kind !== 'found') return [];
  const { applied, tooNew, invalidIndexes, tablesWithoutKey, uncheckedConstraints, sequencesBehind } =
    schema.found;
  if (applied === 0) return ['The database has no migrations of Notify: nothing was restored into it.'];
  return [
    ...when(tooNew !== null, `${tooNew?.replace(/^t/, 'T')}.`),
    ...named('Indexes that no query uses; run "reindex index" on each', invalidIndexes),
    ...named('Tables without their primary key', tablesWithoutKey),
    ...named('Constraints that were not validated', uncheckedConstraints),
    ...named('Sequences behind the rows of their column, so that inserts fail', sequencesBehind),
  ];
}

const broken: Readonly<Record<SpotCheckName, string>> = {
  'due-message-exists': 'due messages have no message',
  'due-account-exists': 'due messages have no channel account',
  'queued-message-is-due': 'queued messages do not wait anywhere, so nothing sends them',
  'key-has-message': 'idempotency keys have no message',
  'event-has-message': 'events have no message',
  'due-delivery-has-event': 'due deliveries have no event',
  'due-delivery-has-webhook': 'due deliveries have no webhook; a webhook worker removes them',
};
/** Rows that a running service leaves for a moment. */
const harmless: readonly SpotCheckName[] = ['due-delivery-has-webhook'];

function checkFaults({ checks }: Verified): string[] {
  return checks.flatMap(({ name, looked }) => {
    if (looked.kind !== 'found' || looked.found.broken === 0 || harmless.includes(name)) return [];
    const { broken: count, looked: of, example } = looked.found;
    return [`${count} of ${of} ${broken[name]} (such as ${example}).`];
  });
}

/** What could not be found out. */
function failures({
  server,
  schema,
  partitions,
  rows,
  ages,
  lastHeartbeat,
  checks,
  keys,
}: Verified): string[] {
  const asked: readonly (readonly [string, Looked<unknown> | null])[] = [
    ['the server', server],
    ['the schema', schema],
    ['the partitions', partitions],
    ['the rows', rows],
    ['the ages', ages],
    ['the heartbeats', lastHeartbeat],
    ['the stored secrets', keys],
    ...checks.map(({ name, looked }) => [`"${name}"`, looked] as const),
  ];
  return asked.flatMap(([what, looked]) =>
    looked?.kind === 'failed' ? [`Could not check ${what}: ${textOf(looked.error)}.`] : [],
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toDo({ schema, partitions, checks }: Verified): string[] {
  const pending = schema.kind === 'found' && schema.found.applied > 0 ? schema.found.pending : [];
  const tables = partitions.kind === 'found' ? partitions.found : [];
  const uncovered = tables.filter(({ secondsAhead }) => secondsAhead <= 0);
  const astray = tables.filter(({ secondsAhead, defaultHasRows }) => secondsAhead > 0 && defaultHasRows);
  return [
    ...when(pending.length > 0, `Run "migrate": ${pending.join(', ')} ${isOrAre(pending)} pending.`),
    ...when(
      uncovered.length > 0,
      `Run "migrate": ${uncovered.map(({ table }) => table).join(', ')} ${isOrAre(uncovered)} without a partition for new rows.`,
    ),
    ...named(
      'Look at the rows in the default partition: a wrong clock made their ids, and no retention removes them. Tables',
      astray.map(({ table }) => table),
    ),
    ...checks.flatMap(({ name, looked }) =>
      looked.kind === 'found' && looked.found.broken > 0 && harmless.includes(name)
        ? [`Nothing: ${looked.found.broken} ${broken[name]}.`]
        : [],
    ),
  ];
}

function isOrAre(some: readonly unknown[]): string {
  return some.length === 1 ? 'is' : 'are';
}

function when(holds: boolean, line: string): string[] {
  return holds ? [line] : [];
}

const mostNamed = 5;

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return [`${what}: ${names.slice(0, mostNamed).join(', ')}${more}.`];
}
