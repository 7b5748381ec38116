import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const unlinkAccount = defineCommand({
  name: 'accounts unlink',
  summary: 'Log the linked phone out of a whatsapp-web account.',
  arguments: { id: idArgument(kinds.account) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Unlink without being asked', line: 'accounts unlink 0190a1b2-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Unlink the phone of the account ${id}?`, yes);
    await notify.channelAccounts.unlink(id, { signal });
    output.document({ id, unlinked: true }, (style) => [`${style.green('Unlinking')} ${id}.`]);
  },
});
