import { eventKinds, eventsInShort, messageEvents } from './event-kinds.ts';

const sent = messageEvents.map(({ name }) => String(name));

test('a webhook’s events in few words', () => {
  expect(eventsInShort(eventKinds.map(({ name }) => name))).toBe('All events');
  expect(eventsInShort(sent)).toBe('All events of messages you send');
  expect(eventsInShort([...sent, 'message.received'])).toBe(
    'All events of messages you send, message.received',
  );
  expect(eventsInShort(['message.failed', 'contact.opted-out'])).toBe('failed, contact.opted-out');
});
