import { defineCommand } from '../command.ts';
import { eventFilterOptions, eventFiltersOf } from '../events/filters.ts';
import { type ShownEvent, showEvent } from '../events/event-text.ts';
import { text } from '../options.ts';
import { given } from '../given.ts';
import { eventsOption, matchesEvent } from '../events/names.ts';

export const tailMessages = defineCommand({
  name: 'messages tail',
  summary: 'Follow what happens to messages, until Ctrl-C.',
  details:
    'Reads the stream of events. It begins now, reconnects by itself and says so, and misses nothing in between.\n\nThe scope is events:read.',
  options: {
    events: eventsOption('Only these events.'),
    to: text('<recipient>', 'Only messages to this recipient, as the event has it.'),
    ...eventFilterOptions,
    cursor: text('<cursor>', 'Begin after this place of the list of events.'),
  },
  examples: [
    { does: 'Follow everything', line: 'messages tail' },
    { does: 'Follow failures only', line: 'messages tail --events message.failed' },
    { does: 'Pick fields in a script', line: 'messages tail --json | jq -r .messageId' },
  ],
  async run({ client, output, signal }, { events, to, cursor, ...filters }) {
    const notify = await client();
    const say = (text: string): void => output.note(output.noteStyle.dim(text));
    let lost = false;
    const stream = notify.events.stream(given({ cursor, ...eventFiltersOf(filters) }), {
      signal,
      onConnection(change) {
        if (change.state === 'open') say('Following events. Ctrl-C ends.');
        if (change.state === 'resumed') say('Connected again. Nothing was missed.');
        if (change.state === 'lost' && !lost) say(`Connection lost: ${change.error.message}. Reconnecting …`);
        lost = change.state === 'lost';
      },
    });
    for await (const streamed of stream) {
      const shown = streamed.event as ShownEvent;
      if (!matchesEvent(events, shown.event) || (to !== undefined && shown.to !== to)) continue;
      showEvent(output, shown);
    }
  },
});
