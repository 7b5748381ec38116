import { problemsOf } from './problems-of.ts';

const webhook = {
  id: 'wh_1',
  url: 'https://example.com/hook',
  description: null,
  state: 'healthy',
  disabledReason: null,
  waiting: 0,
} as const;
const account = { id: 'acc_1', name: 'Shop', channel: 'sms', status: 'connected' } as const;

test('names each webhook that fails or that Notify disabled, and each account that cannot send, with its page', () => {
  const found = problemsOf(
    [
      { ...webhook, state: 'failing', description: 'Pager', waiting: 1 },
      { ...webhook, id: 'wh_2', state: 'failing', waiting: 1_000 },
      { ...webhook, id: 'wh_3', state: 'disabled', disabledReason: 'The endpoint answered 410.' },
    ],
    [
      { ...account, status: 'action-required' },
      { ...account, id: 'acc_2', name: 'Bot', channel: 'telegram', status: 'disconnected' },
    ],
  );
  expect(found.map(({ what, name, says, to }) => `${what} ${name} ${says}: ${to}`)).toEqual([
    'Webhook Pager is failing, and 1 event waits: /webhooks/wh_1',
    'Webhook https://example.com/hook is failing, and 1,000 events wait: /webhooks/wh_2',
    'Webhook https://example.com/hook was disabled by Notify: /webhooks/wh_3',
    'Account Shop · SMS cannot send until you act: /channels/acc_1',
    'Account Bot · Telegram is disconnected, and its messages wait: /channels/acc_2',
  ]);
});

test('what works, what is still connecting, and a webhook that a person disabled are no problems', () => {
  expect(
    problemsOf([webhook, { ...webhook, state: 'disabled' }], [account, { ...account, status: 'connecting' }]),
  ).toEqual([]);
});
