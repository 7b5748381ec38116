import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventBody } from '@notify/contract';
import { webhookWaitsMs } from '@notify/core';
import { signatureHeaders } from '@notify/runtime';
import { newSecret } from './sealed-webhooks.ts';

const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/events.md'), 'utf8');

/** Each language of the page, and the command that runs a file of it. */
const languages = {
  js: { command: [process.execPath], file: 'verify.mjs' },
  python: { command: ['python3'], file: 'verify.py' },
  php: { command: ['php'], file: 'verify.php' },
  ruby: { command: ['ruby'], file: 'verify.rb' },
  bash: { command: ['bash'], file: 'verify.sh' },
} as const;
type Language = keyof typeof languages;

const isAtHand = (language: Language) =>
  spawnSync(languages[language].command[0], ['--version']).error === undefined;
const atHand = (Object.keys(languages) as Language[]).filter(isAtHand);
const missing = (Object.keys(languages) as Language[]).filter((language) => !isAtHand(language));

function snippet(language: Language): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
  if (found.length !== 1) throw new Error(`${found.length} snippets in ${language}`);
  return found[0]![1]!;
}

const secret = newSecret();
const older = newSecret();
const body = Buffer.from('{"event":"message.sent","to":"é😀","text":"a\u2028b"}');

function delivery(changes: Partial<Parameters<typeof signatureHeaders>[0]> = {}) {
  return signatureHeaders({ secrets: [secret], id: 'evt_1', at: new Date(), body, ...changes });
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-snippets-'));
  if (missing.length > 0) console.info(`not run, since not installed here: ${missing.join(', ')}`);
});
afterAll(() => rm(folder, { recursive: true }));

async function verifies(
  language: Language,
  headers: Record<string, string>,
  bytes = body,
  key = secret,
): Promise<boolean> {
  const { command, file } = languages[language];
  await writeFile(path.join(folder, file), snippet(language));
  const run = spawnSync(command[0], [path.join(folder, file)], {
    input: bytes,
    env: {
      PATH: process.env.PATH,
      WEBHOOK_SECRET: key,
      WEBHOOK_ID: headers['webhook-id'],
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
      WEBHOOK_SIGNATURE: headers['webhook-signature'],
      X_SVC_SIGNATURE: headers['x-svc-signature'],
    },
  });
  if (run.stderr.length > 0) throw new Error(run.stderr.toString());
  return run.status === 0;
}

describe.each(atHand)('the snippet in %s', (language) => {
  test('takes a genuine delivery, also with either secret during a rotation', async () => {
    expect(await verifies(language, delivery())).toBe(true);
    const rotated = delivery({ secrets: [secret, older] });
    expect(await verifies(language, rotated)).toBe(true);
    expect(await verifies(language, rotated, body, older)).toBe(true);
  });

  test('refuses another body, another secret and no signature', async () => {
    expect(await verifies(language, delivery(), Buffer.from(`${body.toString()} `))).toBe(false);
    expect(await verifies(language, delivery(), body, older)).toBe(false);
    expect(await verifies(language, { ...delivery(), 'webhook-signature': '', 'x-svc-signature': '' })).toBe(
      false,
    );
  });
});

test.each(atHand.filter((language) => language !== 'bash'))(
  'the snippet in %s refuses a replay',
  async (language) => {
    expect(await verifies(language, delivery({ at: new Date(Date.now() - 301_000) }))).toBe(false);
    expect(await verifies(language, { ...delivery(), 'webhook-id': 'evt_2' })).toBe(false);
  },
);

test('there is a snippet in every language', () => {
  expect(
    (Object.keys(languages) as Language[]).map((language) => snippet(language).length > 100),
  ).not.toContain(false);
});

test('the page describes every field of the body and no other', () => {
  const table = page.slice(page.indexOf('## The body'), page.indexOf('### Messages that people write'));
  const described = [...table.matchAll(/^\| `(\w+)`\s*\|/gm)].map((match) => match[1]);
  expect(described).toEqual(Object.keys(EventBody.properties));
  const example = JSON.parse(/```json\n(.*?)```/s.exec(table)![1]!) as object;
  expect(Object.keys(example)).toEqual(
    Object.keys(EventBody.properties).filter((field) => field !== 'error'),
  );
});

test('the page names the waits of the schedule', () => {
  const units: readonly [string, number][] = [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ];
  const written = webhookWaitsMs.map((ms) => {
    const [unit, size] = units.find(([, size]) => ms % size === 0)!;
    return `${ms / size} ${unit}`;
  });
  const text = page.replaceAll('\n', ' ').replaceAll(/ +/g, ' ');
  expect(text).toContain(`${written.slice(0, -1).join(', ')} and ${written.at(-1)} later`);
});
