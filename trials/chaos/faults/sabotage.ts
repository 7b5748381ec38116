import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';
import type { Fault } from '../../kit/faults/fault.ts';

const ofEach = 5;
const tries = 400;
const lookMs = 25;

/**
 * Does what the service never may: deletes waiting messages, deliveries and stored answers, and sends messages
 * again. It is part of no run. It shows that the audit works: a run with it must exit with 1 and report stuck,
 * missing, duplicated and wrong messages.
 */
export const sabotage: Fault = {
  name: 'sabotage',
  groups: ['all'],
  async run({ db }) {
    await untilDone(() => deleteDue(db, 'dispatch_due'));
    await untilDone(() => deleteDue(db, 'delivery_due'));
    await untilDone(() => sendAgain(db));
    await untilDone(() => throwAwayAnswers(db));
  },
};

async function untilDone(some: () => Promise<bigint>): Promise<void> {
  let left = BigInt(ofEach);
  for (let tried = 0; tried < tries && left > 0n; tried += 1) {
    left -= await some();
    await wait(lookMs);
  }
  if (left > 0n) throw new Error('there was nothing to sabotage');
}

async function deleteDue(db: Db, due: 'dispatch_due' | 'delivery_due'): Promise<bigint> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(due)} where ctid in (
      select ctid from ${sql.table(due)} where claimed_by is null limit ${ofEach} for update skip locked)`.execute(
    db,
  );
  return numAffectedRows ?? 0n;
}

async function throwAwayAnswers(db: Db): Promise<bigint> {
  const { numAffectedRows } = await sql`
    delete from attempts where (message_id, number, part) in (
      select message_id, number, part from attempts where outcome = 'accepted' limit ${ofEach})`.execute(db);
  return numAffectedRows ?? 0n;
}

async function sendAgain(db: Db): Promise<bigint> {
  const { numAffectedRows } = await sql`
    insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select id, channel_account_id, tenant_id, bulk, now(), expires_at from messages
    where status = 'sent' and id not in (select message_id from dispatch_due) limit ${ofEach}
    on conflict do nothing`.execute(db);
  return numAffectedRows ?? 0n;
}
