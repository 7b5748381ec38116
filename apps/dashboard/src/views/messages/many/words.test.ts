import { endedInWords, messagesIn } from './words.ts';

test('says how many there are, and what has become of them', () => {
  expect([messagesIn(1), messagesIn(1_234, 'failed')]).toEqual(['1 message', '1,234 failed messages']);
  expect(endedInWords('Resent', { done: 3, refused: new Map() })).toBe('Resent 3 messages.');
  const refused = new Map([['Its status is sent.', 2]]);
  expect(endedInWords('Resent', { done: 1, refused })).toBe(
    'Resent 1 message. 2 could not be: Its status is sent.',
  );
});
