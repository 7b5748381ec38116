import type { Notify } from '@notify/sdk';
import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { flag, integer, text } from '../options.ts';
import { eventFilterOptions, eventFiltersOf } from './filters.ts';
import { type ShownEvent, showEvent } from './event-text.ts';
import { eventsOption, matchesEvent } from './names.ts';

const defaultLimit = 50;
const largestPage = 100;

type Page = Awaited<ReturnType<Notify['events']['list']>>;
type Listed = Page['data'][number];

/** An event of the list, and what its body says. */
interface Found {
  readonly listed: Listed;
  readonly event: ShownEvent;
}

export const listEvents = defineCommand({
  name: 'events list',
  summary: 'List the events of the last 7 days, oldest first.',
  details:
    'With --json --all, each line is the body that a webhook got. To follow events, use messages tail.\n\nThe scope is events:read.',
  options: {
    events: eventsOption('Only these events.'),
    ...eventFilterOptions,
    limit: integer('<count>', { min: 1, max: 100 }, `Events to list, 1 to 100. Default ${defaultLimit}.`),
    cursor: text('<cursor>', 'Continue after an earlier page.'),
    all: flag('All pages. With --json: one event a line.'),
  },
  examples: [
    { does: 'The oldest events', line: 'events list' },
    { does: 'All failures of the last 7 days', line: 'events list --all --events message.failed --json' },
  ],
  async run(context, { events: wanted, limit = defaultLimit, cursor, all, ...filters }) {
    const { output, signal } = context;
    const notify = await context.client();
    const read = (size: number, from: string | undefined): PromiseLike<Page> =>
      notify.events.list(given({ limit: size, cursor: from, ...eventFiltersOf(filters) }), { signal });
    const data: Listed[] = [];
    let shown = 0;
    for (let at = cursor; ;) {
      const left = all ? Infinity : limit - shown;
      const page = await pageOf((size) => read(size, at), wanted, left);
      const found = foundIn(page, wanted);
      shown += found.length;
      if (output.json && !all) data.push(...found.map(({ listed }) => listed));
      else for (const { event } of found) showEvent(output, event);
      if (!page.hasMore || shown >= (all ? Infinity : limit)) {
        if (output.json && !all) output.document({ ...page, data }, () => []);
        else if (page.hasMore) output.note(`More: --cursor ${page.nextCursor}, or --all.`);
        if (shown === 0) output.note(wanted === undefined ? 'No events.' : 'No such events.');
        return;
      }
      at = page.nextCursor;
    }
  },
});

/** A page with no more than `left` wanted events, so that its cursor is right after the last one that is shown. */
async function pageOf(
  read: (size: number) => PromiseLike<Page>,
  wanted: readonly string[] | undefined,
  left: number,
): Promise<Page> {
  if (wanted === undefined) return read(Math.min(left, largestPage));
  const page = await read(largestPage);
  const last = foundIn(page, wanted)[left - 1];
  return last === undefined ? page : read(page.data.indexOf(last.listed) + 1);
}

function foundIn({ data }: Page, wanted: readonly string[] | undefined): Found[] {
  return data
    .map((listed) => ({ listed, event: JSON.parse(listed.body) as ShownEvent }))
    .filter(({ event }) => matchesEvent(wanted, event.event));
}
