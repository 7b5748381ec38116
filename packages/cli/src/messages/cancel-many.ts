import type { Notify } from '@notify/sdk';
import { defineCommand } from '../command.ts';
import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { choice, flag, futureTime, pastTime, text } from '../options.ts';
import { channels } from './channels.ts';

type Body = Parameters<Notify['tenantMessages']['cancelMany']>[0];

export const cancelMessages = defineCommand({
  name: 'messages cancel-many',
  summary: 'Cancel every waiting message that matches.',
  details:
    'Asks with the number of messages first, unless --yes is given. Messages that are being sent or were sent stay. At least one filter is required; --all stands for every waiting message.',
  options: {
    channel: choice('<channel>', channels, 'Only this channel.'),
    account: idOption(kinds.account, 'Only messages of this channel account.'),
    to: text('<recipient>', 'Only messages to this recipient.'),
    tag: text('<tag>', 'Only messages with this tag.'),
    since: pastTime('<time>', 'Only messages accepted since this time.'),
    until: pastTime('<time>', 'Only messages accepted before this time.'),
    scheduled: flag('Only messages that are scheduled for later.'),
    scheduledSince: futureTime('<time>', 'Only messages scheduled for this time or later.'),
    scheduledUntil: futureTime('<time>', 'Only messages scheduled for before this time.'),
    all: flag('Every message that waits.'),
    dryRun: flag('Only count them.'),
    yes: flag('Do not ask.'),
  },
  examples: [
    {
      does: 'Count the messages to a recipient that are scheduled',
      line: 'messages cancel-many --to +15550001000 --scheduled --dry-run',
    },
  ],
  async run(
    { client, output, questions, signal },
    { account, since, scheduledSince, all, dryRun, yes, ...options },
  ) {
    const { channel, to, tag, until, scheduled, scheduledUntil } = options;
    const filter: Body['filter'] = given({
      channel,
      channelAccountId: account,
      to,
      tag,
      from: since,
      until,
      scheduled: scheduled ? true : undefined,
      scheduledFrom: scheduledSince,
      scheduledUntil,
      status: all ? ('queued' as const) : undefined,
    });
    if (Object.keys(filter).length === 0) throw new UsageFailure('a filter is required; --all cancels all');
    const notify = await client();
    const count = await notify.tenantMessages.cancelMany({ filter, dryRun: true }, { signal });
    const matching = `${count.more ? 'More than ' : ''}${count.matched} messages`;
    if (dryRun) return output.document(count, () => [`${matching} match.`]);
    await questions.agreed(`${matching} match. Cancel them?`, yes);
    const sum = { matched: 0, canceled: 0, more: true };
    while (sum.more) {
      const { matched, canceled, more } = await notify.tenantMessages.cancelMany({ filter }, { signal });
      sum.matched += matched;
      sum.canceled += canceled;
      sum.more = more && canceled > 0;
    }
    output.document(sum, (style) => [`${style.green('Canceled')} ${sum.canceled} messages.`]);
  },
});
