import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { choice, pastTime, text } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { paintStatus } from '../output/shown.ts';

const statuses = ['pending', 'sent', 'delivered', 'failed'] as const;

export const listGroups = defineCommand({
  name: 'groups list',
  summary: 'List groups, newest first.',
  details:
    'The messages of verifications are not among them: verify list shows those.\n\nThe scope is messages:read.',
  options: {
    to: text('<recipient>', 'Only groups with a route to this recipient.'),
    status: choice('<status>', statuses, 'Only groups with this status.'),
    since: pastTime('<time>', 'Only groups since this time.'),
    until: pastTime('<time>', 'Only groups before this time.'),
    ...pageOptions,
  },
  examples: [
    { does: 'Groups of the last hour that failed', line: 'groups list --status failed --since 1h' },
    { does: 'All groups to a number, for a script', line: 'groups list --to +15550001000 --all --json' },
  ],
  async run(context, { limit, cursor, all, since, ...filters }) {
    const client = await context.client();
    const query = given({ ...filters, from: since });
    await showPages(
      context,
      { limit, cursor, all },
      (page) => client.tenantGroups.list({ ...query, ...page }, { signal: context.signal }),
      {
        columns: [
          { title: 'ID', cell: ({ id }) => id },
          { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(context.output.style) },
          { title: 'TO', cell: ({ routes }) => inOrder(routes.map(({ to }) => to)) },
          { title: 'CREATED', cell: ({ createdAt }) => createdAt, isTime: true },
          { title: 'ROUTES', cell: ({ routes }) => routes.map(({ channel }) => channel).join(', ') },
        ],
        empty: 'No groups.',
      },
    );
  },
});

/** Each once. */
function inOrder(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
