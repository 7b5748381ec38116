import { inShort, pressedTitle } from './message-text.ts';

const template = { name: 'order_shipped', language: 'en_US' };

const buttons = {
  text: 'Shall we come?',
  buttons: [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No' },
  ],
};
const list = {
  text: 'Which day?',
  list: { button: 'Choose a day', sections: [{ rows: [{ id: 'mon', title: 'Monday' }] }] },
};

test.each([
  ['text', { text: 'Hello' }, 'Hello'],
  ['template', { template, text: 'Your order left.' }, 'order_shipped (en_US): Your order left.'],
  ['template', { template }, 'Template order_shipped (en_US)'],
  ['interactive', { interactive: buttons }, 'Shall we come? [Yes] [No]'],
  [
    'interactive',
    { interactive: list, text: 'Which day?\n\nReply 1 for Monday' },
    'Which day? [Choose a day]',
  ],
  ['image', { type: 'image', url: 'https://a.example/cake.png?size=2', caption: null }, 'Image: cake.png'],
  ['image', { type: 'image', url: 'https://a.example/cake.png', caption: 'A cake' }, 'Image: A cake'],
] as const)('%s in one line', (type, body, words) => {
  expect(inShort({ type, body })).toBe(words);
});

test('what people write is one line too', () => {
  const file = { caption: null, filename: null, mimeType: 'image/jpeg', bytes: 10 };
  expect(inShort({ type: 'image', body: { type: 'image', ...file } })).toBe('Image');
  expect(inShort({ type: 'document', body: { type: 'document', ...file, filename: 'menu.pdf' } })).toBe(
    'Document: menu.pdf',
  );
  const place = { latitude: 52.5, longitude: 13.4, address: null };
  expect(inShort({ type: 'location', body: { ...place, name: 'Bakery' } })).toBe('Location: Bakery');
  expect(inShort({ type: 'location', body: { ...place, name: null } })).toBe('Location: 52.5, 13.4');
  const contacts = [
    { name: 'Mia', phones: ['+491511'] },
    { name: null, phones: ['+491512'] },
  ];
  expect(inShort({ type: 'contact', body: { contacts } })).toBe('Contact: Mia, +491512');
  expect(inShort({ type: 'reaction', body: { emoji: '👍' } })).toBe('Reacted 👍');
  expect(inShort({ type: 'reaction', body: { emoji: null } })).toBe('Removed a reaction');
  expect(inShort({ type: 'button', body: { text: 'Yes', payload: 'yes-1' } })).toBe('Pressed “Yes”');
  expect(inShort({ type: 'unsupported', body: { kind: 'poll' } })).toBe('Unsupported message: poll');
  expect(inShort({ type: 'unsupported', body: { kind: 'deleted' } })).toBe('Deleted a message');
});

test.each([
  ['Yes', 'yes', { interactive: buttons }, 'Yes'],
  ['2', 'no', { interactive: buttons }, 'No'],
  ['1', 'mon', { interactive: list }, 'Monday'],
  ['1', 'gone', { interactive: list }, '1'],
  ['Yes', 'yes', { text: 'Hello' }, 'Yes'],
  ['Yes', null, null, 'Yes'],
] as const)('a press of %s (%s) that answers %j is %s', (text, payload, body, title) => {
  expect(pressedTitle({ text, payload }, body === null ? null : { body })).toBe(title);
});
