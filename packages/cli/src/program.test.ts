import { expect, it } from '@jest/globals';
import { commands, groups } from './commands.ts';
import { type Call, parserOf } from './program.ts';

const program = { name: 'notifyctl', commands, groups };
const examples = commands.flatMap(({ name, examples: some }) => some.map(({ line }) => ({ name, line })));

it.each(examples)('understands the example $line', async ({ name, line }) => {
  const called: Call[] = [];
  const said: string[] = [];
  const output = { version: '1.2.3', writeOut: () => {}, writeErr: (text: string) => void said.push(text) };
  const parser = parserOf(program, commands, output, async (call) => void called.push(call));
  await parser.parseAsync(wordsOf(line), { from: 'user' });
  expect(said).toEqual([]);
  expect(called.map(({ command }) => command.name)).toEqual([name]);
});

it('has an example for each command and a description for each group', () => {
  expect(commands.filter(({ examples: some }) => some.length === 0)).toEqual([]);
  const first = commands.map(({ name }) => name.split(' ')).filter((words) => words.length > 1);
  expect(new Set(first.map(([group]) => group))).toEqual(new Set(Object.keys(groups)));
});

it('breaks no line of a paragraph, because help wraps it', () => {
  const broken = commands.filter(({ details = '' }) => /[^\n]\n[^\n]/.test(details));
  expect(broken.map(({ name }) => name)).toEqual([]);
});

it.each([
  ['', ['# Send a text\n  notifyctl send', 'Print JSON on standard output.']],
  [
    'webhooks',
    ['Usage: notifyctl webhooks [command]\n', '  notifyctl webhooks list', '  notifyctl webhooks show'],
  ],
  ['webhooks list', ['Usage: notifyctl webhooks list\n']],
  ['webhooks retry', ['Usage: notifyctl webhooks retry <id> <delivery-id>\n']],
  ['usage', ['Usage: notifyctl usage [options]\n', '--since <time>']],
  ['completion', ['  source <(notifyctl completion bash)\n']],
  ['listen', ['The scope is events:read.', 'http://localhost:4000/webhooks/notify']],
  ['trigger', ['messages:send, accounts:read and events:read']],
  ['send', ['Wait until it has this status.']],
])('shows in the help of "%s" what it is to show, and nothing twice', async (words, texts) => {
  const help = await helpOf(words);
  for (const text of texts) expect(help).toContain(text);
  expect(help).not.toMatch(/Global Options|--from|--event |\(preset/);
});

it('takes the old names of options', async () => {
  const inputs = await Promise.all(
    ['messages list --from 2026-01-31', 'usage --from 2026-01-31', 'events list --event message.sent'].map(
      inputOf,
    ),
  );
  expect(inputs).toMatchObject([
    { since: expect.stringMatching(/^2026-01-3/) },
    { since: expect.stringMatching(/^2026-01-3/) },
    { events: ['message.sent'] },
  ]);
});

async function inputOf(line: string): Promise<unknown> {
  let input: unknown;
  const output = { version: '1.2.3', writeOut: () => {}, writeErr: () => {} };
  const parser = parserOf(program, commands, output, async (call) => void (input = call.input));
  await parser.parseAsync(wordsOf(line), { from: 'user' });
  return input;
}

/** What `--help` after these words prints. */
async function helpOf(words: string): Promise<string> {
  let said = '';
  const output = { version: '1.2.3', writeOut: (text: string) => void (said += text), writeErr: () => {} };
  const parser = parserOf(program, commands, output, async () => {});
  await parser.parseAsync([...wordsOf(words), '--help'], { from: 'user' }).catch(() => undefined);
  return said;
}

/** The words before a pipe, a redirection or a comment, as a shell splits them. */
function wordsOf(line: string): string[] {
  const [typed = ''] = line.split(/ [|<>#&]/);
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
