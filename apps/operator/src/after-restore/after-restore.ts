import {
  countDeliveries,
  endLeases,
  failDue,
  listDue,
  markPossibleDuplicates,
  readAges,
  renewEventEpoch,
  renewUpdateSources,
} from '@notify/db/backups';
import type { Db } from '@notify/db/connection';
import { holdSends, readHold } from '@notify/db/holds';
import { type Answer, type Command, CommandError, type OperatorDeps } from '../command.ts';
import { dayMs, recountDays, type Recounted } from '../recount-usage.ts';
import { type Moment, readMoment } from './moment.ts';
import { type DueWork, withPolicies } from './repeats.ts';
import { type Done, valueOf, words } from './words.ts';

export const afterRestoreCommand: Command = {
  name: 'after-restore',
  words: [],
  options: { 'accepted-before': 'only messages accepted before this time, by default now' },
  flags: {
    hold: 'nothing leaves until release-sends',
    'fail-due': 'fails due messages instead of sending them again',
    'skip-usage': 'leaves the usage figures as they are',
    'dry-run': 'tells what it would do',
  },
  about:
    'Run it after restoring a backup and before starting processes. Marks due messages as possible duplicates, because they may have been sent since the backup, and fails those whose account chose at-most-once. Makes the cursors of the list of events expire, and recounts usage.',
  async run(input, deps): Promise<Answer> {
    const { flags } = input;
    const moment = await readMoment(input, deps.db);
    const failsAll = flags.has('fail-due');
    const due = await dueMessages(moment, failsAll, deps);
    if (!flags.has('dry-run')) refuseIf(moment.inTheWay);
    const done = flags.has('dry-run')
      ? null
      : await carryOut(
          moment,
          due,
          { holds: flags.has('hold'), recounts: !flags.has('skip-usage') },
          deps.db,
        );
    const told = { moment, due, done, deliveries: await countDeliveries(deps.db) };
    return { value: valueOf(told), text: words(told) };
  },
};

function refuseIf([first, ...others]: readonly string[]): void {
  if (first === undefined) return;
  throw new CommandError(`${first}${others.length === 0 ? '' : ` (and ${others.length} more)`}`);
}

/** Without a decision for all accounts, the settings of each must be opened. */
async function dueMessages(
  { acceptedBefore }: Moment,
  failsAll: boolean,
  { db, secrets }: OperatorDeps,
): Promise<DueWork[]> {
  const due = await listDue(db, acceptedBefore);
  if (failsAll) return due.map((one) => ({ ...one, policy: null, fails: true }));
  if (due.length === 0) return [];
  return withPolicies(due, await secrets()).map((one) => ({ ...one, fails: one.mustNotRepeat }));
}

/** Every step can be stopped, and run again. */
async function carryOut(
  moment: Moment,
  due: readonly DueWork[],
  { holds, recounts }: { readonly holds: boolean; readonly recounts: boolean },
  db: Db,
): Promise<Done> {
  const { acceptedBefore, isContinued } = moment;
  if (holds || isContinued || (await readHold(db)) !== null) await holdSends(db, moment);
  if (!isContinued) await renewEventEpoch(db);
  const leases = await endLeases(db);
  let failed = 0;
  for (const { accountId, fails } of due) if (fails) failed += await failDue(db, accountId, acceptedBefore);
  const marked = await markPossibleDuplicates(db, acceptedBefore);
  const updateSources = isContinued ? 0 : await renewUpdateSources(db);
  const isHeld = (await readHold(db)) !== null;
  return { leases, failed, marked, updateSources, isHeld, usage: recounts ? await recountAround(db) : null };
}

/** Recounts the last day that has messages or posts, and the one before: figures of a dump may miss its last seconds. */
async function recountAround(db: Db): Promise<{ messages: Recounted; posts: Recounted }> {
  const { newestMessage, newestPost } = await readAges(db);
  const newest = Math.max(newestMessage?.getTime() ?? 0, newestPost?.getTime() ?? 0);
  const until = new Date(Math.floor(newest / dayMs) * dayMs);
  return recountDays(db, new Date(until.getTime() - dayMs), until);
}
