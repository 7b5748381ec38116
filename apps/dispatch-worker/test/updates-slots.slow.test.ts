import { once } from 'node:events';
import type { Adapter, ReadUpdates, SendContext } from '@notify/channels';
import { telegramBot, until, useBots } from './bots.ts';

const bots = useBots();
const { setSettings, connect, connectAnother, start, sourceOf } = bots;

/** A Telegram that has no updates, and tells of each question to whose account it is. */
function quietTelegram(
  onRead: (name: string, signal: AbortSignal) => Promise<unknown>,
): Map<string, Adapter> {
  const updates = {
    ...telegramBot.updates!,
    async read(_: unknown, { settings, signal }: SendContext<{ name: string }>): Promise<ReadUpdates> {
      await onRead(settings.name, signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return {
        kind: 'read',
        inbound: [],
        moved: [],
        consents: [],
        next: null,
        acknowledge: async () => undefined,
      };
    },
  };
  return new Map([['telegram-bot', { ...telegramBot, updates } as Adapter]]);
}

test('more accounts than slots take turns', async () => {
  const all = [await connect(), await connect(), await connect()];
  for (const [index, bot] of all.entries()) await setSettings(bot, { name: `bot ${index}` });
  const asked = new Set<string>();
  start({ adapters: quietTelegram(async (name) => asked.add(name)) }, { slots: 1 });
  const count = await until(
    () => asked.size,
    (size) => size === 3,
  );
  expect(count).toBe(3);
});

test('a tenant with many accounts leaves slots to others, and its own take turns', async () => {
  const busy = [await connect()];
  for (let count = 0; count < 7; count += 1) busy.push(await connectAnother(busy[0]!));
  const quiet = await connect();
  for (const bot of [...busy, quiet]) await setSettings(bot, { name: bot.accountId });
  const asked = new Set<string>();
  const isCalm = Promise.withResolvers<void>();
  const adapters = quietTelegram((name, signal) => {
    asked.add(name);
    // Nothing of the busy tenant ends before the other was asked for.
    if (name === quiet.accountId) isCalm.resolve();
    return Promise.race([isCalm.promise, once(signal, 'abort')]);
  });
  start({ adapters }, { slots: 4 });
  await isCalm.promise;
  const { holder } = (await sourceOf(quiet))!;
  await until(
    () => asked.size,
    (size) => size === 9,
  );
  expect((await sourceOf(quiet))!.holder).toBe(holder);
});
