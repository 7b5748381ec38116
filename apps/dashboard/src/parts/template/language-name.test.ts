import { languageName } from './language-name.ts';

test.each([
  ['en_US', 'en_US · American English'],
  ['de', 'de · German'],
  ['pt_BR', 'pt_BR · Brazilian Portuguese'],
  ['xx', 'xx'],
  ['not a language', 'not a language'],
  ['', ''],
])('%j is shown as %j', (code, words) => {
  expect(languageName(code)).toBe(words);
});
