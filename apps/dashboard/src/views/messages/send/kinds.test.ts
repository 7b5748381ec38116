import type { Provider } from '@notify/sdk';
import { kindsOf } from './kinds.ts';

const provider = (media: boolean, templates: boolean): Provider =>
  ({ capabilities: { media, templates } }) as Provider;

test.each([
  ['whatsapp', provider(true, true), ['text', 'media', 'template']],
  ['telegram', provider(true, false), ['text', 'media']],
  ['sms', provider(true, true), ['text', 'template']],
  ['sms', provider(false, false), ['text']],
  ['whatsapp', undefined, ['text']],
] as const)('%s: %j', (channel, its, kinds) => {
  expect(kindsOf({ channel }, its)).toEqual(kinds);
});
