import type { Notify } from '@notify/sdk';
import { argument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import type { Style } from '../output/style.ts';
import { tableLines } from '../output/table.ts';

export const showConsent = defineCommand({
  name: 'consent show',
  summary: 'Show whether a recipient opted out of the messages of a channel account, and every change.',
  arguments: {
    account: idArgument(kinds.account),
    recipient: argument('The phone number in E.164 format, or the chat ID.'),
  },
  examples: [{ does: 'Why somebody gets no messages', line: 'consent show 0190a1b2-… +14155550123' }],
  async run({ client, output, signal }, { account, recipient }) {
    const consent = await (await client()).consent.get(account, recipient, { signal });
    output.document(consent, (style) => [
      consent.status === null
        ? `Nothing is recorded of ${consent.recipient}, so messages are sent.`
        : `${consent.recipient} is ${consent.status}.`,
      ...(consent.history.length === 0 ? [] : ['', ...changeLines(consent.history, style, output.width)]),
    ]);
  },
});

type Change = Awaited<ReturnType<Notify['consent']['get']>>['history'][number];

function changeLines(changes: readonly Change[], style: Style, width: number | null): string[] {
  return tableLines(
    changes,
    [
      { title: 'CHANGED', cell: ({ changedAt }) => changedAt, isTime: true },
      { title: 'STATUS', cell: ({ status }) => status },
      { title: 'SOURCE', cell: ({ source }) => source },
      { title: 'MESSAGE', cell: ({ messageId }) => messageId },
      { title: 'NOTE', cell: ({ note }) => note, shrinks: true },
    ],
    { style, width },
  );
}
