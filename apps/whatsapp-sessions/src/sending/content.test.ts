import type { SendRequest } from '@notify/channels';
import { contentOf } from './content.ts';

const request: SendRequest = {
  messageId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
  to: '+4915112345678',
  type: 'text',
  body: { text: 'hello' },
  part: 0,
  parts: 1,
  text: null,
  media: null,
  attempt: 1,
  throttles: 0,
  lifetimeMs: 86_400_000,
  replyTo: null,
  threadId: null,
  callbackUrl: null,
};

test('a text is sent as it is', async () => {
  expect(await contentOf(request)).toEqual({ text: 'hello' });
});

test('a template is refused for good, and its text is not sent in its place', async () => {
  const body = { template: { name: 'sale', language: 'en' }, text: 'hello' };
  expect(await contentOf({ ...request, type: 'template', body })).toEqual({
    kind: 'rejected',
    errorCode: 'template-not-supported',
    text: 'A linked device has no templates.',
  });
});
