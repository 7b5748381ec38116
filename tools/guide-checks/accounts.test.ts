import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { adapters, checkSettings } from '@notify/channels';
import { readGuide } from '@notify/testkit';

const guide = readGuide('accounts');

/** The sandbox needs no account. */
const providers = [...adapters.keys()].filter((id) => id !== 'sandbox');
const sections = guide.text.split('\n## ').slice(1);

/** The section of a provider is the one that links to its README. */
function sectionOf(provider: string): string {
  const link = `(../../packages/channels/src/${provider}/README.md)`;
  return sections.find((section) => section.includes(link)) ?? '';
}

function fieldsOf(provider: string): string[] {
  const { properties } = adapters.get(provider)!.settings as unknown as { properties: object };
  return Object.keys(properties);
}

test('every provider has a section, which links to its README', () => {
  expect(providers.filter((provider) => sectionOf(provider) === '')).toEqual([]);
});

test('the README of the project links to the README of every provider', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const linked = (id: string) => readme.includes(`(packages/channels/src/${id}/README.md)`);
  expect(providers.filter((id) => !linked(id))).toEqual([]);
});

describe.each(providers)('the section of %s', (provider) => {
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
  });

  test('has an example that the provider accepts', () => {
    const examples = guide.blocks.filter(
      ({ heading, language }) => heading === sectionOf(provider).split('\n')[0] && language === 'json',
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
