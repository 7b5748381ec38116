import { twinOf } from './twin.ts';

const webhooks = [
  { id: 'wh_1', url: 'https://example.com/' },
  { id: 'wh_2', url: 'https://example.com/hooks' },
];

test.each([
  ['https://example.com/hooks', null, 'wh_2'],
  ['https://EXAMPLE.com:443', null, 'wh_1'],
  ['https://example.com/hooks', 'wh_2', undefined],
  ['https://example.com/Hooks', null, undefined],
  ['no url', null, undefined],
])('%s for webhook %s has the twin %s', (url, id, twin) => {
  expect(twinOf(url, id, webhooks)?.id).toBe(twin);
});
