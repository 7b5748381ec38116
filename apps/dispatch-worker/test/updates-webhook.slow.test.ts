import { makeSourceDue } from '@notify/db/updates';
import { sql } from 'kysely';
import { publicUrl, until, useBots } from './bots.ts';

const bots = useBots();
const { endNewest, setSettings, connect, start, received, sourceOf } = bots;

describe('with a public address', () => {
  test('Telegram is told, and nothing is read', async () => {
    const bot = await connect();
    start({ publicUrl });
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode !== null,
    );
    expect(row).toMatchObject({ mode: 'webhook', url: publicUrl, detail: null, holder: null });
    expect(bots.telegram().updates.webhook()).toBe(
      `${publicUrl}/callbacks/telegram-bot/${bot.accountId}/a-secret`,
    );
    expect(Number(row.due_at) - Date.now()).toBeGreaterThan(3_600_000);
  });

  test('another address replaces the earlier one, and none ends it', async () => {
    const bot = await connect();
    start({ publicUrl: 'https://earlier.example' });
    await until(() => bots.telegram().updates.webhook(), Boolean);
    await until(async () => (await sourceOf(bot))!.mode, Boolean);
    await endNewest();
    start({ publicUrl });
    await until(
      () => bots.telegram().updates.webhook(),
      (url) => url?.startsWith(publicUrl) === true,
    );
    await until(
      async () => (await sourceOf(bot))!.url,
      (url) => url === publicUrl,
    );
    await endNewest();
    bots.telegram().people.write(1_000, 'waits for the change');
    start();
    await until(received, (texts) => texts.length === 1);
    expect(bots.telegram().updates.webhook()).toBeNull();
  });

  test('an account that an older version created is found', async () => {
    const bot = await connect();
    await bots.db().deleteFrom('update_sources').execute();
    start({ publicUrl });
    await until(() => bots.telegram().updates.webhook(), Boolean);
    expect(await sourceOf(bot)).toBeDefined();
  });
});

describe.each([
  ['a public address', publicUrl],
  ['none', null],
])('other programs, with %s', (_, url) => {
  test('the webhook of another program stays, and the account says what to do', async () => {
    await bots.telegram().updates.setWebhook('https://other.example/hook');
    const bot = await connect();
    start({ publicUrl: url });
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode !== null,
    );
    expect(row).toMatchObject({ mode: 'off' });
    expect(row.detail).toMatch(/webhook at other\.example.*ignore/);
    expect(bots.telegram().updates.webhook()).toBe('https://other.example/hook');
  });

  test('an account that ignores updates asks for none', async () => {
    const bot = await connect({ updates: 'ignore' });
    bots.telegram().people.write(1_000, 'for another program');
    start({ publicUrl: url });
    await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect([bots.telegram().updates.webhook(), bots.telegram().updates.isPolled()]).toEqual([null, false]);
    expect(
      bots
        .telegram()
        .updates.history()
        .map(({ read, posted }) => read + posted),
    ).toEqual([0]);
  });

  test('settings that change to ignore, or a removed account, give the bot back', async () => {
    const [kept, removed] = [await connect(), await connect()];
    await bots
      .db()
      .updateTable('update_sources')
      .set({ due_at: sql`'infinity'` })
      .where('account_id', '=', removed.accountId)
      .execute();
    start({ publicUrl: url });
    const isOurs = () => bots.telegram().updates.webhook() !== null || bots.telegram().updates.isPolled();
    await until(isOurs, Boolean);
    await until(async () => (await sourceOf(kept))!.mode, Boolean);
    await setSettings(kept, { updates: 'ignore' });
    await makeSourceDue(bots.db(), kept.accountId);
    await until(isOurs, (ours) => !ours);
    await makeSourceDue(bots.db(), removed.accountId);
    await until(isOurs, Boolean);
    await until(async () => (await sourceOf(removed))!.mode, Boolean);
    await bots
      .db()
      .updateTable('channel_accounts')
      .set({ deleted_at: sql`now()` })
      .where('id', '=', removed.accountId)
      .execute();
    await makeSourceDue(bots.db(), removed.accountId);
    await until(isOurs, (ours) => !ours);
    const gone = await until(
      () => sourceOf(removed),
      (row) => row === undefined,
    );
    expect(gone).toBeUndefined();
  });
});
