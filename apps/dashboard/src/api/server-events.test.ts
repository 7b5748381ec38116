import { readEvents, type ServerEvent, StreamSilent } from './server-events.ts';

async function eventsOf(...chunks: readonly string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(streamOf(chunks, true))) events.push(event);
  return events;
}

function streamOf(chunks: readonly string[], ends: boolean): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (ends) controller.close();
    },
  });
}

const dataOf = async (...chunks: readonly string[]): Promise<(string | null)[]> =>
  (await eventsOf(...chunks)).map(({ data }) => data);

test('yields whole events, however the stream is split', async () => {
  expect(await dataOf('data: {"a"', ':1}\n', '\ndata: 2\n\n')).toEqual(['{"a":1}', '2']);
  expect(await dataOf('data: 1\r', '\n\r\ndata: 2\r\n\r\n')).toEqual(['1', '2']);
});

test('skips comments, and joins lines of data', async () => {
  expect(await dataOf(':\n\n', 'event: x\ndata: 1\ndata: 2\n\n')).toEqual(['1\n2']);
});

test('tells the ID of each event', async () => {
  expect(await eventsOf('id: a1\ndata: 1\n\n', 'data: 2\nid:b2\n\n', 'data: 3\n\n')).toEqual([
    { id: 'a1', data: '1' },
    { id: 'b2', data: '2' },
    { id: null, data: '3' },
  ]);
  expect(await eventsOf('id: a1\n\n')).toEqual([{ id: 'a1', data: null }]);
});

test('ignores an event that the end cuts off', async () => {
  expect(await dataOf('data: 1\n\ndata: 2')).toEqual(['1']);
});

test('a reader that stops ends the stream', async () => {
  let canceled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => void (canceled = true),
  });
  for await (const { data } of readEvents(stream)) {
    expect(data).toBe('1');
    break;
  }
  expect(canceled).toBe(true);
});

test('a stream that says nothing for too long counts as broken', async () => {
  const seen: (string | null)[] = [];
  const reading = (async () => {
    for await (const { data } of readEvents(streamOf(['data: 1\n\n'], false), 20)) seen.push(data);
  })();
  await expect(reading).rejects.toThrow(StreamSilent);
  expect(seen).toEqual(['1']);
});
