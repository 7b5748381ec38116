import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** Folders of which only the folder itself belongs to a backup (PostgreSQL 18, 25.3.4). */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
/** Files that belong to the running server alone. `postgresql.auto.conf` is the copy's own. */
const leftOut = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf'];

/**
 * Copies a running server's data into a new folder, by the functions for it (PostgreSQL 18, 25.3.3): our binaries have no
 * `pg_basebackup`. The copy holds no WAL, so the server that starts on it must fetch it, from a slot made before.
 */
export async function baseBackup(
  from: { readonly url: string; readonly folder: string },
  to: string,
): Promise<void> {
  // The backup ends with its session.
  const session = new pg.Client({ connectionString: from.url });
  await session.connect();
  try {
    await session.query(`select pg_backup_start('base backup', fast => true)`);
    await copyFolder(from.folder, to);
    const { rows } = await session.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)',
    );
    await writeLike(from.folder, path.join(to, 'backup_label'), rows[0]!.labelfile);
    if (rows[0]!.spcmapfile !== '')
      await writeLike(from.folder, path.join(to, 'tablespace_map'), rows[0]!.spcmapfile);
  } finally {
    await session.end();
  }
}

/** Writes a file that belongs to the owner of `folder`, which is another user than ours if we are root. */
export async function writeLike(folder: string, file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600 });
  await ownLike(folder, file);
}

/** The files keep their owner. Some vanish while they are copied, and what changes meanwhile is repaired from the WAL. */
async function copyFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from);
  await mkdir(to, { mode: 0o700 });
  await ownLike(from, to);
  for (const folder of emptied) {
    await mkdir(path.join(to, folder), { mode: 0o700 });
    await ownLike(from, path.join(to, folder));
  }
  const copied = entries.filter((entry) => !emptied.includes(entry) && !leftOut.includes(entry));
  const sources = copied.map((entry) => path.join(from, entry));
  await run('cp', ['-pPR', ...sources, to], { env: { ...process.env, LC_ALL: 'C' } }).catch(
    demandOnlyVanished,
  );
}

/** `cp` copies the rest of the files, too, when one has vanished. */
function demandOnlyVanished(error: Error & { readonly stderr?: string }): void {
  const lines = (error.stderr ?? '').trim().split('\n');
  if (!lines.every((line) => line.endsWith('No such file or directory'))) throw error;
}

async function ownLike(source: string, target: string): Promise<void> {
  const { uid, gid } = await stat(source);
  if (process.getuid?.() === 0) await chown(target, uid, gid);
}
