import { readingCommand } from './reading-command.ts';

const at = (...scopes: ('read' | 'list' | 'cancel' | 'conversations:read' | 'conversations:write')[]) =>
  readingCommand('https://notify.example', { key: 'svc_live_1', scopes }).split(' \\')[0];

test('the command for a key that does not send is one that the key may do', () => {
  expect(at('read', 'list')).toBe('curl https://notify.example/v1/notify/messages');
  expect(at('cancel', 'read')).toBe('curl https://notify.example/v1/notify/messages/msg_…');
  expect(at('cancel')).toBe('curl -X POST https://notify.example/v1/notify/messages/msg_…/cancel');
  const conversations = 'https://notify.example/v1/notify/conversations';
  expect(at('conversations:write', 'conversations:read')).toBe(`curl ${conversations}`);
  expect(at('conversations:write')).toBe(`curl -X POST ${conversations}/cnv_…/read`);
});
