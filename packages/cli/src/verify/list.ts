import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { choice, pastTime, text } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { paintStatus } from '../output/shown.ts';

const statuses = ['pending', 'approved', 'failed', 'expired', 'canceled'] as const;

export const listVerifications = defineCommand({
  name: 'verify list',
  summary: 'List verifications, newest first.',
  details:
    'The codes are never shown. "notifyctl groups show" tells what became of the messages.\n\nThe scope is messages:read.',
  options: {
    to: text('<recipient>', 'Only verifications of this recipient.'),
    status: choice('<status>', statuses, 'Only verifications with this status.'),
    since: pastTime('<time>', 'Only verifications since this time.'),
    until: pastTime('<time>', 'Only verifications before this time.'),
    ...pageOptions,
  },
  examples: [
    { does: 'What became of the codes to a number', line: 'verify list --to +15550001000' },
    {
      does: 'Codes of the last hour that expired, for a script',
      line: 'verify list --status expired --since 1h --all --json',
    },
  ],
  async run(context, { limit, cursor, all, since, ...filters }) {
    const client = await context.client();
    const query = given({ ...filters, from: since });
    await showPages(
      context,
      { limit, cursor, all },
      (page) => client.tenantVerifications.list({ ...query, ...page }, { signal: context.signal }),
      {
        columns: [
          { title: 'ID', cell: ({ id }) => id },
          { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(context.output.style) },
          { title: 'TO', cell: ({ to }) => to },
          { title: 'CREATED', cell: ({ createdAt }) => createdAt, isTime: true },
          { title: 'ATTEMPTS', cell: ({ attempts }) => attempts },
          { title: 'GROUP', cell: ({ groupId }) => groupId },
        ],
        empty: 'No verifications.',
      },
    );
  },
});
