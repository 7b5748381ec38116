import { inspect } from '@notify/db/backups';
import type { Command, OperatorDeps } from '../command.ts';
import { judge, sumByVersion, type Verified } from './findings.ts';
import { tryKeys } from './keys.ts';
import { momentOf, report } from './report.ts';

export const verifyBackupCommand: Command = {
  name: 'verify-backup',
  words: [],
  options: {},
  about:
    'Checks a database that was restored from a backup, or any other, and changes nothing: whether the keys open its secrets, its schema, row counts, ages, and whether its tables fit together. Exits with 1 and names each fault.',
  anySchema: true,
  onlyReads: true,
  async run(_input, deps) {
    const verified = await verify(deps);
    const findings = judge(verified);
    return {
      value: valueOf(verified, findings),
      text: report(verified, findings),
      isFailure: findings.faults.length > 0,
    };
  },
};

async function verify(deps: OperatorDeps): Promise<Verified> {
  const { masterKeys, jwtSecrets } = await deps.keyNames();
  return {
    ...(await inspect(deps.db)),
    keys: masterKeys.length === 0 ? null : await tryKeys(deps.db, await deps.secrets()),
    masterKeys,
    jwtSecrets,
  };
}

function valueOf(verified: Verified, findings: ReturnType<typeof judge>): object {
  const { keys, masterKeys, jwtSecrets, server, schema, partitions, rows, ages, lastHeartbeat, checks } =
    verified;
  const found = (
    looked: Verified['server' | 'schema' | 'rows' | 'ages' | 'lastHeartbeat'] | Verified['partitions'],
  ) => (looked.kind === 'found' ? looked.found : null);
  const columns = keys?.kind === 'found' ? keys.found : [];
  return {
    isUsable: findings.faults.length === 0,
    ...findings,
    moment: momentOf(verified),
    server: found(server),
    keys: {
      masterKeys,
      jwtSecrets,
      sealedBy: Object.fromEntries(sumByVersion(columns)),
      columns: columns.map(({ name, tried, unreadable, fault }) => ({ name, tried, unreadable, fault })),
    },
    schema: found(schema),
    partitions: found(partitions),
    rows: found(rows),
    ages: found(ages),
    lastHeartbeat: found(lastHeartbeat),
    checks: checks.map(({ name, looked }) =>
      looked.kind === 'found' ? looked.found : { name, looked: null },
    ),
  };
}
