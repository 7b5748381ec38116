import { readRestoredServer } from '@notify/db/backups';
import type { Db } from '@notify/db/connection';
import { readHold } from '@notify/db/holds';
import { type KnownProcess, listProcesses } from '@notify/db/operations';
import { CommandError, type Input } from '../command.ts';
import { checkTime } from '../fields.ts';

/** What this run is about. */
export interface Moment {
  /** Messages accepted before may have been sent after the moment of the backup. */
  readonly acceptedBefore: Date;
  /** The server since its start. */
  readonly server: string;
  /** Sends have been held since an earlier run for the same restore. */
  readonly isContinued: boolean;
  /** What is in the way, for a person. Empty when nothing is. */
  readonly inTheWay: readonly string[];
}

/**
 * Finds out which messages this run is about, and what is in its way. While sends are held, and until the server starts
 * anew, the moment of the first run counts. Throws a CommandError where nothing can be read or written.
 */
export async function readMoment({ options }: Input, db: Db): Promise<Moment> {
  const server = await readRestoredServer(db);
  if (server === null)
    throw new CommandError('the server is still in recovery, or a standby: wait until it takes writes');
  const given = options['accepted-before'];
  const hold = await readHold(db);
  const isContinued = hold !== null && hold.server === server.name;
  const known = given === undefined ? null : checkTime('accepted-before', given);
  return {
    acceptedBefore: known ?? (isContinued ? hold.acceptedBefore : server.now),
    server: server.name,
    isContinued,
    inTheWay: inTheWay(await listProcesses(db), {
      isHeld: isContinued,
      isKnown: known !== null || isContinued,
    }),
  };
}

/**
 * A worker sends and posts what is not marked yet, unless sends are held. An api accepts messages that a moment given by
 * nobody would count as older than the backup.
 */
function inTheWay(
  processes: readonly KnownProcess[],
  { isHeld, isKnown }: { readonly isHeld: boolean; readonly isKnown: boolean },
): string[] {
  return processes.flatMap(({ isAlive, name, host, pid }) => {
    if (!isAlive || (name === 'api' ? isKnown : isHeld)) return [];
    const what = `${name} is running on ${host} (pid ${pid})`;
    return [
      name === 'api'
        ? `${what}: stop it, or give the time at which it started as --accepted-before`
        : `${what}: stop it, because it sends what is not marked yet`,
    ];
  });
}
