import { accountLabel } from './account-label.ts';

test('three sandboxes can be told apart, and so can two of a channel', () => {
  const one = (id: string, channel: 'sms' | 'whatsapp') => ({ id, name: 'Sandbox', channel });
  const all = [one('aa-1111', 'sms'), one('aa-2222', 'whatsapp'), one('aa-3333', 'whatsapp')];
  expect(all.map((account) => accountLabel(account, all))).toEqual([
    'Sandbox · SMS',
    'Sandbox (…2222) · WhatsApp',
    'Sandbox (…3333) · WhatsApp',
  ]);
});
