import { adapters } from '../registry.ts';
import { providerUrlsFault } from './base-url.ts';

const url = 'http://127.0.0.1:8081';

test('accepts base URLs of providers that have an address of their own', () => {
  expect(providerUrlsFault([], adapters)).toBeNull();
  const own = [...adapters.values()].filter(({ baseUrl }) => baseUrl !== null);
  expect(own).not.toEqual([]);
  expect(
    providerUrlsFault(
      own.map(({ id }) => ({ provider: id, url })),
      adapters,
    ),
  ).toBeNull();
});

test.each(['telegram', 'http-sms', 'sandbox'])(
  'names the valid providers if one is set for "%s"',
  (provider) => {
    const set = [
      { provider: 'twilio', url },
      { provider, url },
    ];
    expect(providerUrlsFault(set, adapters)).toBe(
      `PROVIDER_URLS: "${provider}" is no provider with an address of its own; these are telegram-bot, twilio, vonage, whatsapp-cloud`,
    );
  },
);
