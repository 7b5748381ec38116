import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { openQuestions } from './questions.ts';

/** A terminal at which these keys are pressed. */
function terminal(keys: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    if (shown === '') setImmediate(() => input.write(keys));
    shown += text;
  });
  const signal = new AbortController().signal;
  return { questions: openQuestions({ possible: true, signal, input, output }), shown: () => shown };
}

it('asks for a secret and does not show it', async () => {
  const { questions, shown } = terminal('svc_tok_abc\r');
  expect(await questions.secret('Token', '--token-stdin')).toBe('svc_tok_abc');
  expect(shown()).toContain('Token');
  expect(shown()).not.toContain('abc');
});

it('goes on after a yes only', async () => {
  await expect(terminal('y').questions.agreed('Sure?', false)).resolves.toBeUndefined();
  await expect(terminal('\r').questions.agreed('Sure?', false)).rejects.toThrow('nothing was changed');
  await expect(terminal('n').questions.agreed('Sure?', false)).rejects.toThrow('nothing was changed');
});

it('ends by 130 when the question is left with Ctrl-C', async () => {
  await expect(terminal('\u0003').questions.agreed('Sure?', false)).rejects.toMatchObject({
    exitCode: 130,
    message: '',
  });
});

it('asks nothing after --yes', async () => {
  const { questions, shown } = terminal('');
  await questions.agreed('Sure?', true);
  expect(shown()).toBe('');
});
