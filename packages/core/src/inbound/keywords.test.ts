import { defaultKeywords, judgeWords, wordOf } from './keywords.ts';

const ofSms = defaultKeywords('sms');

test.each(['STOP', 'stop', ' Stop.\n', 'STOP!!', '“Stop”', 'ＳＴＯＰ', 'st\u00adop', 'unsubscribe', 'QUIT'])(
  '%j opts out',
  (text) => {
    expect(judgeWords(text, ofSms)).toBe('opted-out');
  },
);

test.each(['START', 'yes', 'Unstop.'])('%j opts in', (text) => {
  expect(judgeWords(text, ofSms)).toBe('opted-in');
});

test.each([
  '',
  ' ',
  '...',
  'please stop',
  'STOP it',
  'nonstop',
  'HELP',
  'INFO',
  'yes please',
  'STOP'.padEnd(1_000_000),
])('a message that is not one word of the list changes nothing (%#)', (text) => {
  expect(judgeWords(text, ofSms)).toBeNull();
});

test('whatsapp has no words by default that people answer a bot with', () => {
  const judge = (text: string) => judgeWords(text, defaultKeywords('whatsapp'));
  expect(['stop', 'unsubscribe', 'start'].map(judge)).toEqual(['opted-out', 'opted-out', 'opted-in']);
  expect(['cancel', 'end', 'quit', 'yes'].map(judge)).toEqual([null, null, null, null]);
});

test('telegram has no words by default, and HELP is a word where an account names it', () => {
  expect(judgeWords('STOP', defaultKeywords('telegram'))).toBeNull();
  expect(judgeWords('help', { stop: ['HELP'], start: [] })).toBe('opted-out');
});

const words = {
  stop: ['İPTAL', 'ΤΈΛΟΣ', 'стоп', '停止', '¡Alto!', '/stop', 'opt out', 'Straße', '🛑'],
  start: ['devam', '!'],
};
test.each([
  'iptal',
  'ıptal',
  'IPTAL',
  'i\u0307ptal',
  'τέλος',
  'СТОП',
  '停止。',
  '¡alto!',
  '/STOP',
  'Opt  Out',
  'STRASSE',
  '🛑\ufe0f',
])('%j is a word in its language', (text) => {
  expect(judgeWords(text, words)).toBe('opted-out');
});

test('leading punctuation belongs to a word, but a message may have it before one', () => {
  expect(judgeWords('alto', words)).toBeNull();
  expect(judgeWords('«/stop»', words)).toBeNull();
  expect(judgeWords('«devam»', words)).toBe('opted-in');
});

test('a word of punctuation alone is compared as it is', () => {
  expect(judgeWords('!', words)).toBe('opted-in');
  expect(judgeWords('?', words)).toBeNull();
});

test('the time for a text grows with its length only', () => {
  // NFKC makes four marks of each of these, and the last letter makes them none at the end.
  const texts = [250, 1_000].map((length) => `${'⁗'.repeat(length - 1)}a`);
  const spent = texts.map(() => Infinity);
  // In turns, and the least of many times: a pause of the process counts for neither.
  for (let run = 0; run < 50; run += 1)
    for (const [index, text] of texts.entries()) {
      const beganAt = performance.now();
      judgeWords(text, { stop: [], start: [] });
      spent[index] = Math.min(spent[index]!, performance.now() - beganAt);
    }
  expect(spent[1]! / spent[0]!).toBeLessThan(8);
});

test.each([
  ['STRAẞE', 'Straße', 'STRASSE', 'strasse', 'ſtraße'],
  ['ΤΈΛΟΣ', 'τέλος', 'Τέλοσ', 'ΤΕ\u0301ΛΟΣ'],
  ['İPTAL', 'iptal', 'ıptal', 'IPTAL', 'i\u0307ptal'],
  ['OFF', 'oﬀ', 'ＯＦＦ', 'ｏｆｆ', 'O\u200bFF'],
  ['ﬆop', 'ﬅop', 'STOP', '𝐒𝐓𝐎𝐏', 'Ⓢⓣⓞⓟ'],
  ['ᾼ', 'ᾳ', 'ΑΙ', 'αι', '\u03b1\u0345'],
  ['Ⴀ', 'ⴀ'],
  ['Ꭰ', 'ꭰ'],
  ['և', 'ԵՒ', 'եւ'],
])('%s is one word in all its cases and forms', (...forms) => {
  expect(new Set(forms.map(wordOf)).size).toBe(1);
});

test('no character has two words in its capital, its small letter and its word', () => {
  // Others stay as they are in every folding (UAX 44).
  const changes = /[\p{Changes_When_NFKC_Casefolded}\p{Changes_When_Casemapped}]/u;
  const wrong = Array.from({ length: 0x1_f200 }, (_, code) => code).filter((code) => {
    const text = `x${String.fromCodePoint(code)}y`;
    if (!changes.test(text)) return false;
    const word = wordOf(text);
    return [text.toUpperCase(), text.toLowerCase(), word].some((form) => wordOf(form) !== word);
  });
  expect(wrong).toEqual([]);
});
