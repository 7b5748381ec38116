import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const deleteAccount = defineCommand({
  name: 'accounts delete',
  summary: 'Remove a channel account. Its waiting messages fail.',
  arguments: { id: idArgument(kinds.account) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Remove without being asked', line: 'accounts delete 0190a1b2-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Remove the channel account ${id}? Its waiting messages fail.`, yes);
    await notify.channelAccounts.delete(id, { signal });
    output.document({ id, deleted: true }, (style) => [`${style.green('Removed')} ${id}.`]);
  },
});
