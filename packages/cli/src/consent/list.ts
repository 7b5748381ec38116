import { defineCommand } from '../command.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { choice, text } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';

export const consentStatuses = ['opted-out', 'opted-in'] as const;

export const listConsent = defineCommand({
  name: 'consent list',
  summary: 'List who opted out or in, newest change first.',
  options: {
    account: idOption(kinds.account, 'Only recipients of this channel account.'),
    recipient: text('<recipient>', 'Only this recipient.'),
    status: choice('<status>', consentStatuses, 'Only recipients with this status.'),
    ...pageOptions,
  },
  examples: [{ does: 'Everyone who opted out', line: 'consent list --status opted-out --all --json' }],
  async run(context, { account, recipient, status, ...page }) {
    const { client, signal } = context;
    const notify = await client();
    const filters = given({ channelAccountId: account, recipient, status });
    await showPages(context, page, (at) => notify.consent.list({ ...filters, ...at }, { signal }), {
      columns: [
        { title: 'RECIPIENT', cell: ({ recipient: shown }) => shown },
        { title: 'STATUS', cell: ({ status: shown }) => shown },
        { title: 'CHANNEL', cell: ({ channel }) => channel },
        { title: 'ACCOUNT', cell: ({ channelAccountId }) => channelAccountId },
        { title: 'SOURCE', cell: ({ source }) => source },
        { title: 'CHANGED', cell: ({ changedAt }) => changedAt, isTime: true },
      ],
      empty: 'Nobody opted out or in.',
    });
  },
});
