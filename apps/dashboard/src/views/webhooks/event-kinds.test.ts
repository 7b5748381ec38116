import { eventKinds, eventsInShort, messageEvents } from './event-kinds.ts';

const sent = messageEvents.map(({ name }) => String(name));

test('a webhook’s events in few words', () => {
  expect(eventsInShort(eventKinds.map(({ name }) => name))).toBe('all events');
  expect(eventsInShort(sent)).toBe('all of sent messages');
  expect(eventsInShort([...sent, 'message.received'])).toBe('all of sent messages, received');
  expect(eventsInShort(['message.failed', 'contact.opted-out'])).toBe('failed, contact.opted-out');
});
