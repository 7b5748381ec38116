import { overdueAccounts } from '@notify/db/dispatch';
import { releaseSends } from '@notify/db/holds';
import { overdueWebhooks } from '@notify/db/webhooks';
import type { Command } from '../command.ts';

export const releaseSendsCommand: Command = {
  name: 'release-sends',
  words: [],
  options: {},
  about: 'Ends the hold of after-restore --hold: what is due is sent and posted.',
  async run(_input, { db, wake }) {
    if (!(await releaseSends(db))) return { value: { released: false }, text: 'sends were not held' };
    // A failed wake is only a delay, because the workers' sweepers find overdue work.
    await wake('dispatch', await overdueAccounts(db, 0)).catch(() => undefined);
    await wake('webhooks', await overdueWebhooks(db, 0)).catch(() => undefined);
    return { value: { released: true }, text: 'released: what is due is sent and posted now' };
  },
};
