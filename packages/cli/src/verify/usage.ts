import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { pastTime } from '../options.ts';
import { periodText } from '../output/shown.ts';
import { tableLines } from '../output/table.ts';

export const verificationUsage = defineCommand({
  name: 'verify usage',
  summary: 'Show verifications by country prefix.',
  details: 'The scope is usage:read.',
  options: {
    since: pastTime('<time>', 'Begin of the period. Default: 24 hours before its end.'),
    until: pastTime('<time>', 'End of the period. Default: now.'),
  },
  examples: [{ does: 'The last 24 hours', line: 'verify usage' }],
  async run({ client, output, signal }, { since, until }) {
    const query = given({ from: since, until });
    const figures = await (await client()).usage.verifications(query, { signal });
    output.document(figures, (style) => [
      periodText(figures),
      '',
      ...tableLines(
        [...figures.prefixes, { ...figures.totals, prefix: 'all', heldUntil: null }],
        [
          { title: 'PREFIX', cell: ({ prefix }) => prefix ?? 'none' },
          { title: 'STARTS', cell: ({ starts }) => starts },
          { title: 'CHECKED', cell: ({ checked }) => checked },
          { title: 'APPROVED', cell: ({ approved }) => approved },
          { title: 'FAILED', cell: ({ failed }) => failed },
          { title: 'REFUSED', cell: ({ refused }) => refused },
          {
            title: 'HELD UNTIL',
            cell: ({ heldUntil }) => heldUntil,
            isTime: true,
            paint: style.red,
          },
        ],
        output,
      ),
    ]);
  },
});
