import type { Provider } from '@notify/sdk';
import { hasButtons, kindsOf } from './kinds.ts';

const provider = (media: boolean, templates: boolean): Provider =>
  ({ capabilities: { media, templates } }) as Provider;

test.each([
  ['whatsapp', provider(true, true), ['text', 'media', 'interactive', 'template']],
  ['telegram', provider(true, false), ['text', 'media', 'interactive']],
  ['sms', provider(true, true), ['text', 'interactive', 'template']],
  ['sms', provider(false, false), ['text', 'interactive']],
  ['whatsapp', undefined, ['text', 'interactive']],
] as const)('%s: %j', (channel, its, kinds) => {
  expect(kindsOf({ channel }, its)).toEqual(kinds);
});

test('buttons depend on the provider and the channel', () => {
  const sandbox = { capabilities: { interactiveOn: ['whatsapp', 'telegram'] } } as Provider;
  expect(hasButtons({ channel: 'whatsapp' }, sandbox)).toBe(true);
  expect(hasButtons({ channel: 'sms' }, sandbox)).toBe(false);
  expect(hasButtons({ channel: 'whatsapp' }, provider(true, true))).toBe(false);
  expect(hasButtons({ channel: 'whatsapp' }, undefined)).toBe(false);
});
