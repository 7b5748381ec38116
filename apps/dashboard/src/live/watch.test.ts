import { ApiProblem, LoggedOut, Unreachable } from '../api/failure.ts';
import { type Place, watch } from './watch.ts';

const event = (id: string, name: string): string =>
  `id: ${id}\ndata: ${JSON.stringify({ headers: {}, body: JSON.stringify({ event: name }) })}\n\n`;

/** Opens one after the other what is given; aborts when nothing is left. */
async function watchAll(openings: readonly (Response | Error)[], place: Place = { cursor: null }) {
  const over = new AbortController();
  const log: string[] = [];
  const waits: number[] = [];
  const cursors: (string | null)[] = [];
  let next = 0;
  await watch(
    (cursor) => {
      cursors.push(cursor);
      const opening = openings[next]!;
      next += 1;
      return opening instanceof Error ? Promise.reject(opening) : Promise.resolve(opening);
    },
    place,
    {
      opened: () => void log.push('opened'),
      closed: () => void log.push('closed'),
      missed: () => void log.push('missed'),
      event: ({ name }) => void log.push(name),
    },
    over.signal,
    (ms) => {
      waits.push(ms);
      if (next === openings.length) over.abort();
      return Promise.resolve();
    },
  );
  return { log, waits, cursors };
}

test('goes on after the last event, and says once that something may have been missed', async () => {
  const { log, cursors } = await watchAll([
    new Response(event('c1', 'message.sent') + event('c2', 'message.read')),
    new Response(event('c3', 'message.received')),
  ]);
  expect(cursors).toEqual([null, 'c2']);
  expect(log).toEqual([
    'opened',
    'missed',
    'message.sent',
    'message.read',
    'closed',
    'opened',
    'message.received',
    'closed',
    'closed',
  ]);
});

test('waits longer each time it cannot be opened, and shortly again once it was', async () => {
  const away = new Unreachable();
  const { waits, log } = await watchAll([away, away, away, new Response(event('c1', 'message.sent')), away]);
  expect(waits).toEqual([1_000, 2_000, 4_000, 1_000, 2_000]);
  expect(log.filter((one) => one === 'closed')).toHaveLength(6);
});

test('a cursor that has expired starts anew, and everything is read again', async () => {
  const expired = Response.json(
    { type: '', title: 'Gone', status: 410, code: 'cursor-expired', requestId: 'r' },
    { status: 410 },
  );
  const place = { cursor: 'old' };
  const { cursors, log } = await watchAll([expired, new Response(event('c1', 'message.sent'))], place);
  expect(cursors).toEqual(['old', null]);
  expect(log.slice(0, 3)).toEqual(['closed', 'opened', 'missed']);
  expect(place.cursor).toBe('c1');
});

test('ends with the session', async () => {
  const { cursors } = await watchAll([new LoggedOut(), new Response('')]);
  expect(cursors).toEqual([null]);
});

test('an api that refuses the stream is asked again, with polling meanwhile', async () => {
  const problem = { type: '', title: 'No', status: 403, code: 'forbidden', requestId: 'r' } as const;
  const { waits, log } = await watchAll([new ApiProblem(problem), new ApiProblem(problem)]);
  expect(waits).toEqual([1_000, 2_000]);
  expect(log).not.toContain('opened');
});
