import { timeFault } from './time-fault.ts';

test.each([
  ['2026-01-31T09:30:00', 'body', /^has no time zone: end it with Z for UTC, or with an offset/],
  ['2026-01-31T09:30:00.123', 'query', /^has no time zone/],
  ['2026-01-31T09:30:00 01:00', 'query', /^must have the \+ of its time zone written as %2B in a URL$/],
  ['2026-01-31T09:30:00 01:00', 'body', /^is not a date and time that exists/],
  ['2026-01-31', 'query', /^is a date only: add the time and its zone/],
  ['2026-01-31 09:30:00', 'body', /^must have a T between date and time, and end with a time zone/],
  ['2026-01-31 09:30:00Z', 'body', /^must have a T between/],
  ['2026-01-31T09:30', 'body', /^must have seconds, and end with a time zone/],
  ['2026-01-31T09:30Z', 'body', /^must have seconds/],
  ['1769851800', 'query', /^must be a date and a time, not a number/],
  ['2026-02-30T09:30:00Z', 'body', /^is not a date and time that exists/],
  ['tomorrow', 'body', /^must be a date and a time with its time zone \(example: 2026-01-31T09:30:00Z/],
  ['', 'body', /^must be a date and a time with its time zone/],
] as const)('%s in a %s', (text, part, words) => {
  expect(timeFault(text, part)).toMatch(words);
});
