import { noteFault } from './consent-change.ts';
import { sourceText } from './consent-words.ts';

test('a change says who made it', () => {
  expect(sourceText({ status: 'opted-out', source: 'keyword' })).toBe(
    'The recipient sent STOP or a word like it',
  );
  expect(sourceText({ status: 'opted-in', source: 'keyword' })).toBe(
    'The recipient sent START or a word like it',
  );
  expect(sourceText({ status: 'removed', source: 'api' })).toBe('By you or your program');
});

test('a proof of consent says something, and fits', () => {
  expect(noteFault(' \n')).toBe('Say how they asked for messages.');
  expect(noteFault('By telephone')).toBeNull();
  expect(noteFault('😀'.repeat(500))).toBeNull();
  expect(noteFault('x'.repeat(501))).toBe('At most 500 characters; these are 501.');
});
