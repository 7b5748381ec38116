import { poolerFault } from '@notify/db/connection';
import { type Log, type Settings, SettingsError } from '@notify/runtime';

const askAgainMs = 10_000;

/**
 * Rejects with a SettingsError if what is said about poolers does not fit what DATABASE_URL leads to, because statements
 * would then fail or reach other clients. While the database is away nobody knows, so the process starts, and is told
 * later in the log.
 */
export async function demandPooler(settings: Settings, log: Log): Promise<{ close(): void }> {
  let timer: NodeJS.Timeout | undefined;
  const askLater = (): void => {
    timer = setTimeout(() => {
      poolerFault(settings).then((fault) => {
        if (fault !== null) log.tell('pooler-misfit', { detail: fault });
      }, askLater);
    }, askAgainMs).unref();
  };
  const fault = await poolerFault(settings).catch(() => {
    askLater();
    return null;
  });
  if (fault !== null) throw new SettingsError([fault]);
  return { close: () => clearTimeout(timer) };
}
