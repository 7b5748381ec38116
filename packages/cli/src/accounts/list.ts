import { defineCommand } from '../command.ts';
import { accountColumns } from './shown.ts';

export const listAccounts = defineCommand({
  name: 'accounts list',
  summary: 'List channel accounts and their status.',
  examples: [{ does: 'All accounts', line: 'accounts list' }],
  async run({ client, output, signal }) {
    const accounts = await (await client()).channelAccounts.list({ signal });
    if (output.json) output.document(accounts, () => []);
    else output.table(accounts, accountColumns(output.style), { empty: 'No channel accounts.' });
  },
});
