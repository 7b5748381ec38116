import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { channels } from '../messages/channels.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { choice, formerly, pastTime, text } from '../options.ts';
import { periodText } from '../output/shown.ts';
import { tableLines } from '../output/table.ts';

export const usage = defineCommand({
  name: 'usage',
  summary: 'Show how many messages were sent, delivered and failed.',
  options: {
    since: formerly(
      'from',
      pastTime(
        '<time>',
        'Begin of the period. Default: 24 hours, or with --per day 30 days, before its end.',
      ),
    ),
    until: pastTime('<time>', 'End of the period. Default: now.'),
    per: choice('<bucket>', ['hour', 'day'], 'Size of the buckets in the JSON. Default: hour.'),
    channel: choice('<channel>', channels, 'Only this channel.'),
    account: idOption(kinds.account, 'Only this channel account.'),
    tag: text('<tag>', 'Only messages with this tag.'),
  },
  examples: [
    { does: 'The last 24 hours', line: 'usage' },
    { does: 'The last month, day by day', line: `usage --per day --json | jq '.buckets[]'` },
  ],
  async run({ client, output, signal }, { account, since, ...filters }) {
    const query = given({ ...filters, from: since, channelAccountId: account });
    const figures = await (await client()).usage.get(query, { signal });
    output.document(figures, (style) => [
      periodText(figures),
      '',
      ...tableLines(
        [...figures.channels, { ...figures.totals, channel: 'all' }],
        [
          { title: 'CHANNEL', cell: ({ channel }) => channel },
          { title: 'ACCEPTED', cell: ({ accepted }) => accepted },
          { title: 'WAITING', cell: ({ waiting }) => waiting },
          { title: 'SENT', cell: ({ sent }) => sent },
          { title: 'DELIVERED', cell: ({ delivered }) => delivered },
          { title: 'READ', cell: ({ read }) => read },
          {
            title: 'FAILED',
            cell: ({ failed }) => failed,
            paint: (shown) => (shown === '0' ? shown : style.red(shown)),
          },
          { title: 'RECEIVED', cell: ({ received }) => received },
          { title: 'RATE', cell: ({ deliveryRate }) => percent(deliveryRate) },
        ],
        output,
      ),
      ...(figures.failures.length === 0 ? [] : ['', 'Failures:']),
      ...figures.failures.map(
        ({ channel, errorCode, messages }) => `  ${messages}  ${channel}  ${errorCode}`,
      ),
    ]);
  },
});

function percent(rate: number | null): string | null {
  return rate === null ? null : `${(rate * 100).toFixed(1)} %`;
}
