import { attemptResult, explainAttempt } from './attempt-words.ts';

test('a success needs no advice', () => {
  expect(explainAttempt({ status: 204, error: null })).toEqual({
    what: 'Responded with 204.',
    advice: null,
  });
});

test.each([302, 400, 404, 410, 429, 500, 503])('an answer %i comes with advice', (status) => {
  const { what, advice } = explainAttempt({ status, error: null });
  expect(what).toContain(String(status));
  expect(advice).toMatch(/\.$/);
});

test.each([
  'blocked',
  'dns',
  'refused',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'too-large',
  'secret-unreadable',
])('the error %s is put in words, with what to do', (error) => {
  const { what, advice } = explainAttempt({ status: null, error });
  expect(what).not.toBe('No response.');
  expect(advice).toMatch(/\.$/);
  expect(attemptResult({ status: null, error })).not.toBe('no response');
});

test('shows an error that this page does not know', () => {
  expect(explainAttempt({ status: null, error: 'eclipse' }).what).toBe('No response.');
  expect(attemptResult({ status: null, error: 'eclipse' })).toBe('no response');
});
