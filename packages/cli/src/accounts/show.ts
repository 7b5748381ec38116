import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { accountLines } from './shown.ts';

export const showAccount = defineCommand({
  name: 'accounts show',
  summary: 'Show a channel account. Its secrets are masked.',
  arguments: { id: idArgument(kinds.account) },
  examples: [{ does: 'Status and settings', line: 'accounts show 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' }],
  async run({ client, output, signal }, { id }) {
    const account = await (await client()).channelAccounts.get(id, { signal });
    output.document(account, (style) => accountLines(account, style));
  },
});
