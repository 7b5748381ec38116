import type { Adapter } from '@notify/channels';
import { makeSourceDue } from '@notify/db/updates';
import { startTelegramPeer } from '@notify/testkit';
import { sql } from 'kysely';
import { telegramBot, until, useBots } from './bots.ts';

const bots = useBots();
const { endNewest, setSettings, connect, start, received, sourceOf, untilGivenUp, reads, confirmed } = bots;

describe('without a public address', () => {
  test('messages are read, stored once and confirmed', async () => {
    await connect();
    for (let index = 0; index < 3; index += 1) bots.telegram().people.write(1_000 + index, `before ${index}`);
    start();
    await until(received, (texts) => texts.length === 3);
    bots.telegram().people.write(1_000, 'after');
    expect(await until(received, (texts) => texts.length === 4)).toEqual([
      'before 0',
      'before 1',
      'before 2',
      'after',
    ]);
    await until(confirmed, (count) => count === 4);
    expect(
      bots
        .telegram()
        .updates.history()
        .map(({ read }) => read),
    ).toEqual([1, 1, 1, 1]);
  });

  test('http is no public address for Telegram', async () => {
    const bot = await connect();
    start({ publicUrl: 'http://notify.example' });
    await reads();
    expect(await sourceOf(bot)).toMatchObject({ mode: 'poll', url: null, detail: null });
  });

  test('an address that Telegram refuses: read, and said so', async () => {
    const bot = await connect();
    start({ publicUrl: 'https://notify.internal' });
    await reads();
    const { detail } = await until(
      async () => (await sourceOf(bot))!,
      (row) => row.detail !== null,
    );
    expect(detail).toMatch(/refuses PUBLIC_URL.*resolve host/);
    expect(detail).not.toContain('a-secret');
  });

  test('one worker at a time reads, and hands over when it ends', async () => {
    await connect();
    // Claims outlast the test, so another can only read once the first has handed over.
    const limits = { leaseMs: 600_000 };
    const first = start({}, limits);
    await reads();
    start({}, limits);
    start({}, limits);
    bots.telegram().people.write(1_000, 'to the first');
    await until(received, (texts) => texts.length === 1);
    await first.close();
    bots.telegram().people.write(1_000, 'to another');
    await until(received, (texts) => texts.length === 2);
    expect(bots.telegram().updates.conflicts()).toBe(0);
  });

  test('faults of Telegram are overcome', async () => {
    const bot = await connect();
    start();
    await reads();
    bots.telegram().updates.fail(2);
    const { updateId } = bots.telegram().people.write(1_000, 'ends the open question');
    bots.telegram().people.write(1_000, 'Hello');
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['ends the open question', 'Hello']);
    await until(confirmed, (count) => count === 2);
    expect(bots.telegram().updates.history()[0]).toMatchObject({ id: updateId, read: 1 });
    expect(await sourceOf(bot)).toMatchObject({ mode: 'poll', detail: null });
  });

  test('a fault at the beginning is shown, and looked at again soon', async () => {
    const bot = await connect();
    bots.telegram().updates.fail(1);
    start();
    const { detail, due_at: dueAt } = await until(
      async () => (await sourceOf(bot))!,
      (row) => row.detail !== null,
    );
    expect(detail).toMatch(/^Messages to the account are not received: 500/);
    expect(Number(dueAt) - Date.now()).toBeLessThan(20_000);
  });

  test('a person who blocks the bot opts out, and back in', async () => {
    const { accountId } = await connect();
    start();
    bots.telegram().people.block(1_000);
    const optedOut = async () =>
      (
        await bots.db().selectFrom('suppressions').where('account_id', '=', accountId).selectAll().execute()
      ).map(({ recipient }) => recipient);
    expect(await until(optedOut, (all) => all.length > 0)).toEqual(['1000']);
    bots.telegram().people.unblock(1_000);
    await until(optedOut, (all) => all.length === 0);
  });

  test('a group that became a supergroup goes on under its new id', async () => {
    await connect();
    start();
    bots.telegram().people.write(-99, 'in the group');
    bots.telegram().people.migrate(-99, -1_000_099);
    bots.telegram().people.write(-1_000_099, 'in the supergroup');
    await until(received, (texts) => texts.length === 2);
    const { rows } = await sql`select address, (
      select count(*)::int from conversation_messages where conversation_id = c.id) as messages
      from conversations c`.execute(bots.db());
    expect(rows).toEqual([{ address: '-1000099', messages: 2 }]);
  });

  test('another bot numbers its messages anew, and none of them is taken for a repeat', async () => {
    const bot = await connect();
    start();
    bots.telegram().people.write(1_000, 'to the first bot');
    await until(received, (texts) => texts.length === 1);
    await using other = await startTelegramPeer(0, `220201543:${'B'.repeat(35)}`);
    await endNewest();
    await setSettings(bot, other.settings);
    await makeSourceDue(bots.db(), bot.accountId);
    other.people.write(1_000, 'to the second');
    start({ providerUrls: [{ provider: 'telegram-bot', url: other.url }] });
    expect(await until(received, (texts) => texts.length === 2)).toEqual([
      'to the first bot',
      'to the second',
    ]);
    const ids = await bots.db().selectFrom('messages').select('external_id').orderBy('id').execute();
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]!.external_id).toMatch(/^1000:\d+$/);
  });

  test('a reply names the message that it answers, in its own chat', async () => {
    await connect();
    start();
    const { messageId } = bots.telegram().people.write(-1_000_001, 'one');
    expect(bots.telegram().people.write(-1_000_002, 'two').messageId).toBe(messageId);
    bots.telegram().people.write(-1_000_002, 'answer', { replyTo: messageId });
    await until(received, (texts) => texts.length === 3);
    const { rows } = await sql<{ answered: string }>`
      select q.body->>'text' as answered from messages m join messages q on q.id = m.reply_to`.execute(
      bots.db(),
    );
    expect(rows).toEqual([{ answered: 'two' }]);
  });

  test('of a message that Postgres refuses for what is in it, the fact that it came is stored', async () => {
    await connect();
    await sql`alter table messages add constraint injected check (body->>'text' is distinct from 'bad')`.execute(
      bots.db(),
    );
    for (const text of ['one', 'bad', 'two']) bots.telegram().people.write(1_000, text);
    start();
    expect(await until(received, (texts) => texts.length === 3)).toEqual(['one', 'unsupported', 'two']);
    await until(confirmed, (count) => count === 3);
  });

  test.each([
    [
      'a table is missing',
      'alter table conversations rename to gone',
      'alter table gone rename to conversations',
    ],
    [
      'no partition takes messages',
      'alter table messages add constraint partition check (false) not valid',
      'alter table messages drop constraint partition',
    ],
  ])('while %s, the messages stay with Telegram', async (_, spoil, mend) => {
    const bot = await connect();
    await sql.raw(spoil).execute(bots.db());
    for (const text of ['one', 'two']) bots.telegram().people.write(1_000, text);
    start();
    await untilGivenUp(bot);
    expect(confirmed()).toBe(0);
    await sql.raw(mend).execute(bots.db());
    await makeSourceDue(bots.db(), bot.accountId);
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['one', 'two']);
  });

  test.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a statement timeout', '57014'],
    ['a server that is starting', '57P03'],
  ])('%s is overcome under the same claim', async (_, code) => {
    const bot = await connect();
    await sql`create sequence tries`.execute(bots.db());
    await sql
      .raw(
        `create function fail() returns trigger language plpgsql as $$ begin
          if nextval('tries') <= 4 then raise exception 'injected' using errcode = '${code}'; end if;
          return new;
        end $$`,
      )
      .execute(bots.db());
    await sql`create trigger injected before insert on messages for each row execute function fail()`.execute(
      bots.db(),
    );
    start();
    await reads();
    const { holder } = (await sourceOf(bot))!;
    bots.telegram().people.write(1_000, 'late');
    expect(await until(received, (texts) => texts.length === 1)).toEqual(['late']);
    expect((await sourceOf(bot))!.holder).toBe(holder);
  });

  test('after an outage of the database the account is looked at again within seconds', async () => {
    const bot = await connect();
    let asked = 0;
    const updates = {
      ...telegramBot.updates!,
      async read(request: { next: string | null; waitMs: number }, context: never) {
        asked += 1;
        if (asked === 1) throw Object.assign(new Error('injected'), { code: '57P01' });
        return telegramBot.updates!.read(request, context);
      },
    };
    start({ adapters: new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]) });
    const { due_at: dueAt } = await until(
      async () => (await sourceOf(bot))!,
      ({ holder }) => asked === 1 && holder === null,
    );
    expect(Number(dueAt) - Date.now()).toBeLessThan(5_000);
    await reads();
  });

  test('a fault of our own leaves the messages with Telegram', async () => {
    const bot = await connect();
    let isWrong = true;
    const updates = {
      ...telegramBot.updates!,
      async read(request: { next: string | null; waitMs: number }, context: never) {
        const batch = await telegramBot.updates!.read(request, context);
        if (batch.kind !== 'read' || !isWrong) return batch;
        return { ...batch, inbound: batch.inbound.map((one) => ({ ...one, file: { id: 1n } })) };
      },
    };
    for (const text of ['one', 'two']) bots.telegram().people.write(1_000, text);
    start({ adapters: new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]) });
    await untilGivenUp(bot);
    isWrong = false;
    await makeSourceDue(bots.db(), bot.accountId);
    expect(await until(received, (texts) => texts.length === 2)).toEqual(['one', 'two']);
  });
});
