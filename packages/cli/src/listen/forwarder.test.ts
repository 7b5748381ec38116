import { expect, it } from '@jest/globals';
import type { Entry } from './entry.ts';
import { createForwarder } from './forwarder.ts';

const entry = (id: string): Entry => ({
  cursor: id,
  headers: {},
  body: '{}',
  event: {
    event: 'message.sent',
    messageId: id,
    id,
    channelAccountId: null,
    to: null,
    occurredAt: '2026-01-01T00:00:00Z',
  },
});

it('counts events without a result as unfinished, and leaves the position before them', async () => {
  const positions: string[] = [];
  const forwarder = createForwarder({
    concurrency: 2,
    forward: async ({ event }) => event.id !== 'b',
    onPosition: (cursor) => void positions.push(cursor),
  });
  for (const id of ['a', 'b', 'c']) await forwarder.take(entry(id));
  await forwarder.finished();
  expect(forwarder.unfinished).toBe(1);
  expect(positions).toEqual(['a']);
});
