import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ObjectStore, openObjectStore } from '@notify/egress';
import type { Log, Settings } from '@notify/runtime';

/** The folder of files on their way. */
export function spoolDirOf({ spoolDir }: Pick<Settings, 'spoolDir'>): string {
  return spoolDir ?? path.join(tmpdir(), 'notify-spool');
}

/** The bucket of uploaded files that the settings name. Null without one. Its failures are logged. */
export function openFileBucket(
  settings: Pick<Settings, 'filesUrl' | 'spoolDir'>,
  log: Log,
  version: string,
): ObjectStore | null {
  const { filesUrl } = settings;
  if (filesUrl === null) return null;
  return openObjectStore({
    ...filesUrl,
    spoolDir: spoolDirOf(settings),
    userAgent: `Notify/${version}`,
    onError: (error) => log.tell('connection-trouble', { err: error }),
  });
}
