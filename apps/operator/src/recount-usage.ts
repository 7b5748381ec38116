import type { Db } from '@notify/db/connection';
import { keptSince } from '@notify/db/maintenance';
import { recountDay, rollUpUsage } from '@notify/db/usage';
import { type Command, CommandError } from './command.ts';
import { checkDay } from './fields.ts';
import { list } from './rows.ts';

/** A day, in ms. */
export const dayMs = 86_400_000;
/** How long open transactions are waited for before the first day is counted, in ms. */
const settleWithinMs = 10_000;

export const recountUsageCommand: Command = {
  name: 'recount-usage',
  words: [],
  options: { from: 'the first day (UTC), such as 2026-01-31', until: 'the last day, by default today' },
  required: ['from'],
  about:
    'Recounts the usage figures of these days (UTC) from the stored messages and webhook posts. The service can keep running.',
  async run({ options }, { db }) {
    const [from, until] = [checkDay('from', options.from), checkDay('until', options.until ?? today())];
    if (until < from) throw new CommandError('--until must not be before --from');
    const { messages, posts } = await recountDays(db, from, until);
    if (messages.days + posts.days === 0)
      throw new CommandError(`no data of these days is left; the oldest messages are of ${messages.since}`);
    return { value: { messages, posts }, text: list({ messages: written(messages), posts: written(posts) }) };
  },
};

/** Recounts messages and posts of these days. */
export async function recountDays(
  db: Db,
  from: Date,
  until: Date,
): Promise<{ readonly messages: Recounted; readonly posts: Recounted }> {
  // After a roll-up the marks of counted rows are transaction numbers of this server, even if the database was
  // restored from another. It also leaves little to count.
  await rollUpUsage(db, { settleWithinMs });
  return {
    messages: await recountOf(db, 'messages', from, until),
    posts: await recountOf(db, 'posts', from, until),
  };
}

/** What a recount of some days came to. */
export interface Recounted {
  /** Days that were recounted. */
  readonly days: number;
  /** The first day that can be recounted. */
  readonly since: string;
  /** Figures that were wrong before. */
  readonly corrected: number;
}

/** Recounts every day whose rows are still kept in full. */
async function recountOf(db: Db, what: 'messages' | 'posts', from: Date, until: Date): Promise<Recounted> {
  const kept = await keptSince(db, what === 'messages' ? 'messages' : 'delivery_attempts');
  const keptFrom = Math.ceil((kept?.getTime() ?? 0) / dayMs) * dayMs;
  const first = Math.max(from.getTime(), keptFrom);
  let [days, corrected] = [0, 0];
  for (let day = first; day <= until.getTime(); day += dayMs) {
    corrected += await recountDay(db, what, new Date(day));
    days += 1;
  }
  return { days, since: dayOf(new Date(first)), corrected };
}

function written({ days, since, corrected }: Recounted): string {
  return days === 0 ? 'no data left' : `${days} days since ${since}, ${corrected} figures corrected`;
}

function today(): string {
  return dayOf(new Date());
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
