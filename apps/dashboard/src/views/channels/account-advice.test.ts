import type { ChannelAccount } from '@notify/sdk';
import { adviceOn, heirOf, heirWords } from './account-advice.ts';

const account = {
  provider: 'twilio',
  status: 'connected',
  statusDetail: null,
  lastConnectedAt: '2026-01-31T09:30:00.000Z',
  defaultDetail: null,
} as const;

test('an account that works needs no advice, nor does the sandbox', () => {
  expect(adviceOn(account, false)).toBeNull();
  expect(adviceOn({ ...account, provider: 'sandbox', lastConnectedAt: null }, false)).toBeNull();
});

test('advises to verify an account that never sent', () => {
  expect(adviceOn({ ...account, lastConnectedAt: null }, false)).toMatchObject({ tone: 'hint' });
});

test('says why an account could not be verified, and that it is not the default', () => {
  const status = 'connecting';
  const unasked = { ...account, status, statusDetail: 'Not verified: The provider was not asked.' } as const;
  const advice = adviceOn({ ...unasked, lastConnectedAt: null, defaultDetail: 'Not yet.' }, false);
  expect(advice).toMatchObject({
    tone: 'waiting',
    title: 'Connecting: not verified yet',
    detail: 'The provider was not asked.',
    toDo: expect.stringMatching(/^Messages are sent with these settings.*Press Verify.*press Set as default/),
  });
  expect(adviceOn(unasked, false)?.toDo).not.toContain('default');
  const changed = { ...account, statusDetail: 'Not verified: The provider was not asked.' };
  expect(adviceOn(changed, false)).toMatchObject({ title: 'Not verified yet' });
});

test.each(['connecting', 'connected', 'action-required'] as const)(
  'does not blame the settings of an account that is %s for the network of the server',
  (status) => {
    const statusDetail = 'Not verified: No response (dns): getaddrinfo ENOTFOUND api.twilio.com';
    const advice = adviceOn({ ...account, status, statusDetail }, false)!;
    expect(advice.toDo).toMatch(
      /Notify could not reach api\.twilio\.com \(name not found\)\. This is the network of the server.*Messages wait/,
    );
    expect(advice.toDo).not.toMatch(/Fix the settings|Messages are sent/);
  },
);

test('shows what keeps messages to a connected account away', () => {
  const deaf = { ...account, provider: 'telegram-bot', statusDetail: 'Another program reads the messages.' };
  expect(adviceOn(deaf, false)).toMatchObject({
    title: 'Connected, with a problem',
    detail: deaf.statusDetail,
  });
});

test('shows the restriction of a connected account', () => {
  const restricted = { ...account, provider: 'whatsapp-web', statusDetail: 'No first messages until noon.' };
  expect(adviceOn(restricted, true)).toMatchObject({
    tone: 'waiting',
    detail: 'No first messages until noon.',
  });
});

test('keeps the words of the provider', () => {
  const broken = { ...account, status: 'action-required', statusDetail: 'Authenticate (20003)' } as const;
  expect(adviceOn(broken, false)).toMatchObject({ tone: 'problem', detail: 'Authenticate (20003)' });
  expect(adviceOn(broken, true)?.title).toBe('Phone not linked');
  expect(adviceOn({ ...broken, lastConnectedAt: null }, true)).toBeNull();
  expect(adviceOn({ ...broken, status: 'disconnected' }, true)).toMatchObject({ tone: 'waiting' });
  expect(adviceOn({ ...broken, status: 'connecting' }, true)).toMatchObject({ tone: 'waiting' });
});

test('the oldest real account of the channel becomes the default, else the sandbox, else none', () => {
  const one = (
    id: string,
    provider: string,
    isDefault = false,
    status: 'connected' | 'connecting' | 'action-required' = 'connected',
  ) => ({
    id,
    provider,
    isDefault,
    channel: 'sms' as const,
    status,
    lastConnectedAt: null,
  });
  const removed = one('4', 'twilio', true);
  const sandbox = one('1', 'sandbox');
  const others = [one('3', 'vonage'), one('2', 'http-sms'), sandbox];
  expect(heirOf(removed, [removed, ...others])?.id).toBe('2');
  expect(heirOf(removed, [removed, sandbox])?.id).toBe('1');
  expect(heirOf(removed, [removed])).toBeNull();
  const refused = one('0', 'vonage', false, 'action-required');
  expect(heirOf(removed, [removed, refused, ...others])?.id).toBe('2');
  expect(heirOf(removed, [removed, refused])).toBeNull();
  const untried = one('0', 'vonage', false, 'connecting');
  expect(heirOf(removed, [removed, untried, ...others])?.id).toBe('2');
  const words = (...all: object[]): string => heirWords(removed as ChannelAccount, all as ChannelAccount[]);
  expect(words(removed, { ...sandbox, name: 'Sandbox' })).toBe('“Sandbox” becomes the default for SMS.');
  expect(words(removed)).toContain('This is the only SMS account.');
  expect(words(removed, untried)).toContain('No other SMS account has worked yet');
  expect(heirOf({ ...removed, isDefault: false }, others)).toBeNull();
});
