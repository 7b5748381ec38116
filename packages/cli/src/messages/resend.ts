import { defineCommand } from '../command.ts';
import { idArgument, idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';

export const resendMessage = defineCommand({
  name: 'messages resend',
  summary: 'Send a failed message again, as a new message.',
  arguments: { id: idArgument(kinds.message, 'The ID of the failed message: msg_….') },
  options: {
    account: idOption(
      kinds.account,
      'Send from this channel account. Default: the account of the failed message.',
    ),
  },
  examples: [
    { does: 'Send it again', line: 'messages resend msg_01912d68-783e-7a03-8467-5661c1243ad4' },
    { does: 'Get the ID of the new message', line: 'messages resend msg_01912d68-… --json | jq -r .id' },
  ],
  async run({ client, output, signal }, { id, account }) {
    const notify = await client();
    const sent = await notify.tenantMessages.resend(id, given({ channelAccountId: account }), { signal });
    output.document(sent, (style) => [`${style.green('Queued')} ${sent.id}.`]);
    if (sent.possibleDuplicate)
      output.warn('the first message may have arrived, so this one may be a duplicate');
  },
});
