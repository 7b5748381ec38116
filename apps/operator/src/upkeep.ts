import { overdueAccounts } from '@notify/db/dispatch';
import { overdueWebhooks } from '@notify/db/webhooks';
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
