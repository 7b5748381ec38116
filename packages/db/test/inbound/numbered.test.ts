import { type Channel, contactKey } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { expectNumber, forgetNumber, type InboundAccount, storeReceived } from '@notify/db/inbound';
import { acceptMessages } from '@notify/db/messages';
import { inboundAccountOf, inboundText, makeTenant, testDatabase, textItem, until } from '@notify/testkit';
import { sql } from 'kysely';
import { rules } from '../dispatching.ts';

/** Numbers that answer buttons which were sent as a text. */

const [lid, number] = ['123@lid', '+15550001000'];

/** An account in a database of its own, that asks a person and receives what they write. */
async function openAsking(channel: Channel = 'whatsapp') {
  const test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db, { channel });
  const account: InboundAccount = inboundAccountOf(tenant, channel);

  /** Asks before so many seconds, as a worker does. */
  async function ask(to: string, { secondsAgo = 0, id = 'yes' } = {}): Promise<string> {
    const buttons = [{ id, title: id }];
    const body = { interactive: { text: 'Shall we come?', buttons, fallback: 'numbered' as const } };
    const item = textItem(tenant, { channel, to, type: 'interactive', body });
    const { results } = await acceptMessages(db, [item], rules);
    const [result] = results;
    if (result?.kind !== 'accepted') throw new Error(`the question is ${result?.kind}`);
    const messageId = result.message.id;
    await expectNumber(db, { account, contact: contactKey(channel, to), messageId });
    await sql`
      update numbered_messages set sent_at = now() - make_interval(secs => ${secondsAgo})
      where message_id = ${messageId}::uuid`.execute(db);
    return messageId;
  }

  /** Receives texts in one batch, each written before so many seconds. Whether they answer, and what. */
  async function receive(
    ...texts: readonly { from: string; text?: string; secondsAgo?: number | null }[]
  ): Promise<(string | null)[]> {
    const inbound = texts.map(({ from, text = '1', secondsAgo = 0 }) =>
      inboundText(account, {
        from,
        body: { text },
        sentAt: secondsAgo === null ? null : new Date(Date.now() - 1_000 * secondsAgo),
      }),
    );
    const { results } = await storeReceived(db, { inbound, moved: [], consents: [] });
    const ids = results.map((result) => ('messageId' in result ? result.messageId : ''));
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'type', 'reply_to'])
      .where('id', 'in', ids)
      .execute();
    return ids.map((id) => {
      const { type, reply_to: replyTo } = rows.find((row) => row.id === id)!;
      expect(type).toBe(replyTo === null ? 'text' : 'button');
      return replyTo;
    });
  }

  async function move(from: string, to: string): Promise<void> {
    await storeReceived(db, { inbound: [], moved: [{ account, from, to }], consents: [] });
  }

  return { db, account, ask, receive, move, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

async function waitingForLock(db: Db): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0]!.waiting > 0;
  });
}

describe('a contact that moves', () => {
  test('answers at its new address what it was asked at the old one', async () => {
    await using asking = await openAsking();
    const asked = await asking.ask(lid);
    await asking.move(lid, number);
    expect(await asking.receive({ from: number })).toEqual([asked]);
    expect(await asking.receive({ from: number })).toEqual([null]);
  });

  test('answers in the same batch as the move, and from its old address after it', async () => {
    await using asking = await openAsking();
    const asked = await asking.ask(lid);
    const { db, account } = asking;
    const inbound = [inboundText(account, { from: number, body: { text: '1' } })];
    await storeReceived(db, { inbound, moved: [{ account, from: lid, to: number }], consents: [] });
    const answers = await db.selectFrom('messages').select('reply_to').where('type', '=', 'button').execute();
    expect(answers).toEqual([{ reply_to: asked }]);
    const again = await asking.ask(number);
    expect(await asking.receive({ from: lid, secondsAgo: null })).toEqual([again]);
  });

  test('that moves again, or back, answers from where it is', async () => {
    await using asking = await openAsking();
    const asked = await asking.ask(lid);
    await asking.move(lid, number);
    await asking.move(number, '+15550001001');
    expect(await asking.receive({ from: '+15550001001' })).toEqual([asked]);
    const again = await asking.ask('+15550001001');
    await asking.move('+15550001001', lid);
    expect(await asking.receive({ from: lid })).toEqual([again]);
  });

  test('answers the newest of what it was asked at both', async () => {
    await using asking = await openAsking();
    await asking.ask(lid, { secondsAgo: 30 });
    const newer = await asking.ask(number);
    await asking.move(lid, number);
    expect(await asking.receive({ from: number }, { from: number })).toEqual([newer, null]);
  });

  test('answers a question whose send had begun before the move', async () => {
    await using asking = await openAsking();
    const { db, account } = asking;
    await asking.move(lid, number);
    const asked = await asking.ask(lid);
    expect(await asking.receive({ from: number })).toEqual([asked]);
    const unsent = await asking.ask(lid);
    await forgetNumber(db, { account, contact: lid, messageId: unsent });
    expect(await asking.receive({ from: number })).toEqual([null]);
  });

  test('is waited for by a question that begins during the move', async () => {
    await using asking = await openAsking();
    const { db, account } = asking;
    const mover = await db.startTransaction().execute();
    await storeReceived(mover, { inbound: [], moved: [{ account, from: lid, to: number }], consents: [] });
    const asked = asking.ask(lid);
    await waitingForLock(db);
    await mover.commit().execute();
    const messageId = await asked;
    expect(await asking.receive({ from: number })).toEqual([messageId]);
  });

  test('leaves what others were asked where it was', async () => {
    await using asking = await openAsking();
    const asked = await asking.ask('+15550001001');
    await asking.move(lid, number);
    expect(await asking.receive({ from: number }, { from: '+15550001001' })).toEqual([null, asked]);
  });
});

describe('a number that was written before the question', () => {
  test('stays a text, and so the question stays open', async () => {
    await using asking = await openAsking('sms');
    const asked = await asking.ask(number, { secondsAgo: 10 });
    expect(await asking.receive({ from: number, secondsAgo: 900 })).toEqual([null]);
    expect(await asking.receive({ from: number })).toEqual([asked]);
  });

  test.each([
    ['as far as clocks differ', 120],
    ['at a time that the provider does not tell', null],
    ['in the future, by a clock that is ahead', -3_600],
  ])('counts %s', async (_, secondsAgo) => {
    await using asking = await openAsking('sms');
    const asked = await asking.ask(number, { secondsAgo: 10 });
    expect(await asking.receive({ from: number, secondsAgo })).toEqual([asked]);
  });

  test('answers the one before, if that had been sent', async () => {
    await using asking = await openAsking('sms');
    const older = await asking.ask(number, { secondsAgo: 600, id: 'older' });
    const newer = await asking.ask(number, { id: 'newer' });
    expect(
      await asking.receive(
        { from: number, secondsAgo: 900 },
        { from: number, secondsAgo: 300 },
        { from: number, secondsAgo: 300 },
        { from: number },
        { from: number },
      ),
    ).toEqual([null, older, null, newer, null]);
  });

  test('answers none that a newer answered one has replaced', async () => {
    await using asking = await openAsking('sms');
    await asking.ask(number, { secondsAgo: 600 });
    const newer = await asking.ask(number);
    expect(await asking.receive({ from: number })).toEqual([newer]);
    expect(await asking.receive({ from: number, secondsAgo: 300 })).toEqual([null]);
  });
});

test('a question is answered for 24 hours', async () => {
  await using asking = await openAsking('sms');
  await asking.ask(number, { secondsAgo: 86_400 });
  expect(await asking.receive({ from: number })).toEqual([null]);
  const asked = await asking.ask(number, { secondsAgo: 86_000 });
  expect(await asking.receive({ from: number })).toEqual([asked]);
});
