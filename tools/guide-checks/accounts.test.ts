import { generateKeyPairSync } from 'node:crypto';
import { adapters, checkSettings } from '@notify/channels';
import { readGuide } from '@notify/testkit';

const guide = readGuide('accounts');

/** The section of each provider. */
const headings: Readonly<Record<string, string>> = {
  'http-sms': 'HTTP SMS gateway',
  'telegram-bot': 'Telegram bot',
  twilio: 'Twilio',
  vonage: 'Vonage',
  'whatsapp-cloud': 'WhatsApp Cloud API',
  'whatsapp-web': 'Linked WhatsApp',
};

function sectionOf(provider: string): string {
  const [, section = ''] = guide.text.split(`\n## ${headings[provider]}\n`);
  return section.split('\n## ')[0] ?? '';
}

function fieldsOf(provider: string): string[] {
  const { properties } = adapters.get(provider)!.settings as unknown as { properties: object };
  return Object.keys(properties);
}

test('every provider has a section', () => {
  const real = [...adapters.keys()].filter((id) => id !== 'sandbox');
  expect(Object.keys(headings).sort()).toEqual(real.sort());
});

describe.each(Object.keys(headings))('the section of %s', (provider) => {
  test('has a row for each setting, and for no other', () => {
    const rows = sectionOf(provider).matchAll(/^\| (`[^|]+`) +\|/gm);
    const told = [...rows].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(told.sort()).toEqual(fieldsOf(provider).sort());
  });

  test('tells about the callback URL, verification, and what does not work', () => {
    const section = sectionOf(provider);
    for (const part of ['**Callback URL.**', '**Verify**', '**It cannot**'])
      expect(section).toContain(`\n${part}`);
    expect(section).toMatch(/\]\(https?:\/\//);
    expect(section).toContain(`../../packages/channels/src/${provider}/README.md`);
  });

  test('has an example that the provider accepts', () => {
    const examples = guide.blocks.filter(
      ({ heading, language }) => heading === headings[provider] && language === 'json',
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const { code } of examples) {
      const account = JSON.parse(
        code.replace('-----BEGIN PRIVATE KEY-----\\nMIIE…\\n-----END PRIVATE KEY-----\\n', rsaKey()),
      );
      expect(account.provider).toBe(provider);
      expect(checkSettings(adapters.get(provider)!, account.settings)).toEqual([]);
    }
  });
});

/** A private key, written as in a JSON string. */
function rsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n');
}
