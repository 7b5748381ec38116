import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { pastTime, required } from '../options.ts';
import { localTime } from '../output/shown.ts';

export const replayWebhook = defineCommand({
  name: 'webhooks replay',
  summary: 'Deliver every event again that did not get through.',
  details: 'Those that came while the webhook was disabled are among them.',
  arguments: { id: idArgument(kinds.webhook) },
  options: { since: required(pastTime('<time>', 'Events since this time.')) },
  examples: [
    { does: 'What was missed in the last two hours', line: 'webhooks replay wh_01912d68-… --since 2h' },
  ],
  async run({ client, output, signal }, { id, since }) {
    const replay = await (await client()).webhooks.replay(id, { since }, { signal });
    const { events, eventsComplete } = replay;
    const count = `${eventsComplete ? '' : 'at least '}${events} ${events === 1 ? 'event' : 'events'}`;
    output.document(replay, (style) => [
      events === 0 && eventsComplete
        ? 'Nothing to replay.'
        : `${style.green('Replaying')} ${count} from ${localTime(replay.since)} to ${localTime(replay.until)}.`,
    ]);
  },
});
