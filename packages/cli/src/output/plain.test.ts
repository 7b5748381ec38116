import { openOutput } from './output.ts';
import { harmless } from './plain.ts';

const foreign = 'a\u001b]0;title\u0007b\u001b[2Jc\u009bd\u202ee\r\nf\tg';

test('what is shown holds no control characters but line breaks, tabs and colours', () => {
  expect(harmless(foreign, true)).toBe('a ]0;title b [2Jc d e \nf\tg');
  expect(harmless('\u001b[31mred\u001b[39m', true)).toBe('\u001b[31mred\u001b[39m');
  expect(harmless('\u001b[31mred\u001b[39m', false)).toBe(' red ');
});

test('notes and results are made harmless, wherever their text came from', () => {
  const written: string[] = [];
  const terminal = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const output = openOutput({ stdout: terminal, stderr: terminal, json: false, colours: false });
  output.note(foreign);
  output.warn(foreign);
  output.item({}, () => [foreign]);
  expect(written.join('')).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
  expect(written).toHaveLength(3);
});
