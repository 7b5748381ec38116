import { until, useBots } from './bots.ts';

const bots = useBots();
const { setSettings, connect, start, sourceOf, reads } = bots;

describe('while updates are read', () => {
  test('another reader: it is left alone after a second try', async () => {
    const bot = await connect();
    start();
    await reads();
    const url = `${bots.telegram().url}/bot${bots.telegram().settings.botToken}/getUpdates`;
    const rival = new AbortController();
    const body = JSON.stringify({ timeout: 50 });
    const headers = { 'content-type': 'application/json' };
    const compete = async (): Promise<void> => {
      while (!rival.signal.aborted)
        await fetch(url, { method: 'POST', headers, body, signal: rival.signal }).catch(() => undefined);
    };
    void compete();
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(row.detail).toMatch(/Another program reads/);
    rival.abort();
  });

  test('a webhook that another program sets ends it', async () => {
    const bot = await connect();
    start();
    await reads();
    await bots.telegram().updates.setWebhook('https://other.example/hook');
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(row.detail).toMatch(/other\.example/);
  });

  test('a revoked token breaks an account that has never worked', async () => {
    const bot = await connect();
    start();
    await reads();
    bots.telegram().revoke(true);
    bots.telegram().people.write(1_000, 'ends the question');
    const row = await until(
      async () => (await sourceOf(bot))!,
      ({ detail }) => detail !== null,
    );
    expect(row.detail).toMatch(/Is the bot token right/);
    const account = bots.db().selectFrom('channel_accounts').selectAll().where('id', '=', bot.accountId);
    expect(await account.executeTakeFirstOrThrow()).toMatchObject({ status: 'action-required' });
  });

  test('new settings end the reading that used the old ones', async () => {
    const bot = await connect();
    start({}, { leaseMs: 600 });
    await reads();
    await setSettings(bot, { updates: 'ignore' });
    await until(
      async () => (await sourceOf(bot))!,
      ({ mode }) => mode === 'off',
    );
    expect(bots.telegram().updates.isPolled()).toBe(false);
  });
});
