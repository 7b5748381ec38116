import { inShort } from './message-text.ts';

const template = { name: 'order_shipped', language: 'en_US' };

test.each([
  ['text', { text: 'Hello' }, 'Hello'],
  ['template', { template, text: 'Your order left.' }, 'order_shipped (en_US): Your order left.'],
  ['template', { template }, 'Template order_shipped (en_US)'],
  ['image', { type: 'image', url: 'https://a.example/cake.png?size=2', caption: null }, 'Image: cake.png'],
  ['image', { type: 'image', url: 'https://a.example/cake.png', caption: 'A cake' }, 'Image: A cake'],
] as const)('%s in one line', (type, body, words) => {
  expect(inShort({ type, body })).toBe(words);
});
