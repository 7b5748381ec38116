import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { localTime } from '../output/shown.ts';

export const syncTemplates = defineCommand({
  name: 'templates sync',
  summary: 'Read the templates of a channel account from its provider again.',
  arguments: { account: idArgument(kinds.account) },
  examples: [
    { does: 'After a template was approved', line: 'templates sync 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' },
  ],
  async run({ client, output, signal }, { account }) {
    const sync = await (await client()).templates.sync(account, { signal });
    output.document(sync, ({ green }) => [
      `${green('Requested.')} Last read: ${localTime(sync.syncedAt) ?? 'never'}.`,
    ]);
  },
});
