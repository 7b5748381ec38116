import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exportKinds, type ExportSink, exportTenant, leftOutOfExports } from '@notify/db/exports';
import { type Answer, type Command, CommandError, type OperatorDeps } from './command.ts';
import { list } from './rows.ts';
import { safeText } from './safe-text.ts';
import { shownTenant, type ShownTenant, tenantOf } from './tenants.ts';

/** The layout of an export. It grows when a program that reads an older one could misread it. */
const format = 1;
/** How often a person is told how far it is, in rows. */
const toldEvery = 10_000;

/** What an export says of itself. */
interface Manifest {
  readonly format: number;
  readonly exportedAt: string;
  readonly tenant: ShownTenant;
  /** The number of rows of each kind. */
  readonly rows: Readonly<Record<string, number>>;
  readonly leftOut: readonly string[];
}

export const exportTenantCommand: Command = {
  name: 'tenant export',
  words: ['tenant'],
  options: { to: 'a new or empty folder; if omitted, everything is written to standard output' },
  onlyReads: true,
  about:
    'Writes everything that a tenant can read as lines of JSON, without secrets: a file for each kind into a folder, or all to standard output. The service can keep running.',
  async run(input, deps) {
    const tenant = shownTenant(await tenantOf(input, deps.db));
    const { to } = input.options;
    return to === undefined ? toOutput(tenant, deps) : toFolder(tenant, to, deps);
  },
};

/** Lines of `{kind, row}`, and a last one of the kind `manifest`. */
async function toOutput(tenant: ShownTenant, deps: OperatorDeps): Promise<Answer> {
  const manifest = await exported(tenant, deps, async (kind, rows) =>
    deps.print(rows.map((row) => safeText(JSON.stringify({ kind, row }))).join('\n')),
  );
  deps.print(safeText(JSON.stringify({ kind: 'manifest', row: manifest })));
  deps.progress(summary(manifest));
  return { value: null, text: '', isWritten: true };
}

/** `messages.jsonl` and so on, one row a line, and `manifest.json`. The latter is written last. */
async function toFolder(tenant: ShownTenant, folder: string, deps: OperatorDeps): Promise<Answer> {
  await prepareFolder(folder);
  // Nobody else may read what tenants wrote to whom.
  const files = new Map(
    await Promise.all(
      exportKinds.map(
        async (kind) => [kind, await open(path.join(folder, `${kind}.jsonl`), 'wx', 0o600)] as const,
      ),
    ),
  );
  try {
    const manifest = await exported(tenant, deps, async (kind, rows) => {
      await files.get(kind)?.appendFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    });
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(path.join(folder, 'manifest.json'), text, { flag: 'wx', mode: 0o600 });
    return {
      value: { folder: path.resolve(folder), ...manifest },
      text: `${summary(manifest)}\nin ${path.resolve(folder)}`,
    };
  } finally {
    for (const file of files.values()) await file.close();
  }
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    // Only the folder itself: a mistyped path makes no others.
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`--to: cannot write to ${path.resolve(folder)} (${code})`);
  }
  throw new CommandError(`--to: ${path.resolve(folder)} is not empty`);
}

async function exported(
  tenant: ShownTenant,
  { db, progress }: OperatorDeps,
  take: ExportSink,
): Promise<Manifest> {
  const exportedAt = new Date().toISOString();
  let [now, count] = ['', 0];
  const rows = await exportTenant(db, tenant.id.replace('ten_', ''), async (kind, some) => {
    await take(kind, some);
    const before = kind === now ? count : 0;
    [now, count] = [kind, before + some.length];
    if (Math.floor(count / toldEvery) > Math.floor(before / toldEvery))
      progress(`${kind}: ${count.toLocaleString('en')} rows so far`);
  });
  return { format, exportedAt, tenant, rows, leftOut: leftOutOfExports };
}

function summary({ tenant, rows, leftOut }: Manifest): string {
  const left = leftOut.map((one) => `  ${one}`).join('\n');
  return `exported ${tenant.email} (${tenant.id}), rows of each kind:\n${list(rows)}\nleft out:\n${left}`;
}
