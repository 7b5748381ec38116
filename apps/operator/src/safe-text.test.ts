import type { Command, OperatorDeps } from './command.ts';
import { table } from './rows.ts';
import { answerTo } from './run.ts';
import { safeLine } from './safe-text.ts';

const name = 'A\u001b[2J\u009b31m\u202e\u{e0041}\r\nroot';

async function answer(json: boolean): Promise<string> {
  const command: Command = {
    name: 'list',
    words: [],
    options: {},
    about: '',
    run: async () => ({ value: { name }, text: table([{ name }, { name: 'Zoë' }]) }),
  };
  const input = { words: [], options: {}, flags: new Set<string>(), json };
  return (await answerTo({ command, input, json }, {} as OperatorDeps)).text;
}

test('what tenants write cannot control the terminal', async () => {
  const text = await answer(false);
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'name',
    String.raw`A\u001b[2J\u009b31m\u202e\udb40\udc41\u000d\u000aroot`,
    'Zoë',
  ]);
});

test('JSON has the same string, in characters that cannot control the terminal', async () => {
  const json = await answer(true);
  expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(JSON.parse(json)).toEqual({ name });
});

test('an id of the command line is one harmless line', () => {
  expect(safeLine('msg_\u001b]0;x\u0007\n')).toBe(String.raw`msg_\u001b]0;x\u0007\u000a`);
});
