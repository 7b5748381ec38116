import { trialInWords } from './trial-words.ts';

const now = Date.UTC(2026, 11, 1, 12);

test('the end of a trial says that sending stops, with the year if it is another one', () => {
  expect(
    ['2026-12-11T09:00:00Z', '2027-01-02T09:00:00Z', '2026-11-30T09:00:00Z'].map((at) =>
      trialInWords(new Date(at), now, 'UTC'),
    ),
  ).toEqual([
    'Sending stops on Dec 11 unless the operator gives you a plan.',
    'Sending stops on Jan 2, 2027 unless the operator gives you a plan.',
    'Sending stopped on Nov 30, when your trial ended. Ask the operator for a plan.',
  ]);
});
