import { argument, choiceArgument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { consentStatuses } from './list.ts';

export const setConsent = defineCommand({
  name: 'consent set',
  summary: 'Opt a recipient out of the messages of a channel account, or in.',
  arguments: {
    account: idArgument(kinds.account),
    recipient: argument('The phone number in E.164 format, or the chat ID.'),
    status: choiceArgument(consentStatuses, 'opted-out or opted-in.'),
  },
  examples: [{ does: 'Send them nothing more', line: 'consent set 0190a1b2-… +14155550123 opted-out' }],
  async run({ client, output, signal }, { account, recipient, status }) {
    const consent = await (await client()).consent.set(account, recipient, { status }, { signal });
    output.document(consent, () => [`${consent.recipient} is ${consent.status}.`]);
  },
});
