import { readEvents } from './event-stream.ts';

async function eventsOf(...chunks: readonly string[]): Promise<string[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

test('yields whole events, however the stream is split', async () => {
  expect(await eventsOf('data: {"a"', ':1}\n', '\ndata: 2\n\n')).toEqual(['{"a":1}', '2']);
  expect(await eventsOf('data: 1\r', '\n\r\ndata: 2\r\n\r\n')).toEqual(['1', '2']);
});

test('skips comments, and joins lines of data', async () => {
  expect(await eventsOf(':\n\n', 'event: x\ndata: 1\ndata: 2\n\n')).toEqual(['1\n2']);
});

test('ignores an event that the end cuts off', async () => {
  expect(await eventsOf('data: 1\n\ndata: 2')).toEqual(['1']);
});

test('a reader that stops ends the stream', async () => {
  let canceled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => void (canceled = true),
  });
  for await (const event of readEvents(stream)) {
    expect(event).toBe('1');
    break;
  }
  expect(canceled).toBe(true);
});
