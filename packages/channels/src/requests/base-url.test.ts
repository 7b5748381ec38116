import { adapters } from '../registry.ts';
import { providerUrlsFault } from './base-url.ts';

const url = 'http://127.0.0.1:8081';

test('accepts base URLs of providers that have their own address', () => {
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
      `PROVIDER_URLS: "${provider}" is no provider with its own address; these are telegram-bot, twilio, vonage, whatsapp-cloud`,
    );
  },
);
