import { argument, choiceArgument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { text } from '../options.ts';
import { consentStatuses } from './list.ts';

export const setConsent = defineCommand({
  name: 'consent set',
  summary: 'Opt a recipient out of the messages of a channel account, or in.',
  arguments: {
    account: idArgument(kinds.account),
    recipient: argument('The phone number in E.164 format, or the chat ID.'),
    status: choiceArgument(consentStatuses, 'opted-out or opted-in.'),
  },
  options: {
    note: text('<text>', 'Your proof, such as how they asked for messages again. Kept in the history.'),
  },
  examples: [
    { does: 'Send them nothing more', line: 'consent set 0190a1b2-… +14155550123 opted-out' },
    {
      does: 'They asked for messages again',
      line: 'consent set 0190a1b2-… +14155550123 opted-in --note "by telephone, ticket 4711"',
    },
  ],
  async run({ client, output, signal }, { account, recipient, status, note }) {
    const consent = await (
      await client()
    ).consent.set(account, recipient, { status, ...given({ note }) }, { signal });
    output.document(consent, () => [`${consent.recipient} is ${consent.status}.`]);
  },
});
