import { overdueAccounts } from '@notify/db/dispatch';
import { migrate } from '@notify/db/maintenance';
import { overdueWebhooks } from '@notify/db/webhooks';
import { prepareQueue } from '@notify/queue';
import type { Command } from './command.ts';

export const wakeAllCommand: Command = {
  name: 'wake-all',
  words: [],
  options: {},
  about: 'Wakes every channel account and webhook with overdue work.',
  async run(_input, { db, wake }) {
    const [accounts, webhooks] = [await overdueAccounts(db, 0), await overdueWebhooks(db, 0)];
    await wake('dispatch', accounts);
    await wake('webhooks', webhooks);
    const value = { channelAccounts: accounts.length, webhooks: webhooks.length };
    return { value, text: `woke ${accounts.length} channel accounts and ${webhooks.length} webhooks` };
  },
};

export const migrateCommand: Command = {
  name: 'migrate',
  words: [],
  options: {},
  about: 'Applies pending migrations and prepares the queue. Run it before the processes of a new version.',
  async run(_input, { db, settings }) {
    const applied = await migrate(db);
    await prepareQueue(settings);
    return {
      value: { applied },
      text: applied.length === 0 ? 'no pending migrations' : `applied ${applied.join(', ')}`,
    };
  },
};
