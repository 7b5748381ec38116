import fc from 'fast-check';
import type { Outcome } from './outcome.ts';
import { afterCheck, type CheckState, codeMask, looksPumped, mostTries } from './verification.ts';
import {
  base64Forms,
  hasMask,
  withCode,
  withoutCode,
  withoutCodeIn,
  withoutNumbers,
} from './verification-code.ts';
import { languageFor, verificationLanguages, verificationText } from './verification-text.ts';

const codes = fc.stringMatching(/^[0-9]{4,10}$/);

test('over any checks: it approves once, by a right one, and counts at most five tries', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (checks) => {
      let state: CheckState = { status: 'pending', tries: 0 };
      const counted: boolean[] = [];
      for (const isRight of checks) {
        const next = afterCheck(state, isRight);
        expect(next === null).toBe(state.status !== 'pending');
        if (next !== null) counted.push(isRight);
        state = next ?? state;
      }
      expect(state.tries).toBe(counted.length);
      expect(counted.length).toBeLessThanOrEqual(mostTries);
      const firstRight = checks.indexOf(true);
      const approved = firstRight >= 0 && firstRight < mostTries;
      const failed = !approved && checks.length >= mostTries;
      expect(state.status).toBe(approved ? 'approved' : failed ? 'failed' : 'pending');
      expect(counted.filter(Boolean)).toHaveLength(approved ? 1 : 0);
    }),
  );
});

test.each(['expired', 'canceled', 'approved', 'failed'] as const)(
  'one that is %s takes no check',
  (status) => {
    expect(afterCheck({ status, tries: 0 }, true)).toBeNull();
  },
);

test.each([
  [29, 0, false],
  [30, 2, true],
  [30, 3, false],
  [100, 9, true],
  [100, 10, false],
])('%i starts of which %i were approved', (starts, approved, expected) => {
  expect(looksPumped({ starts, approved })).toBe(expected);
});

test('the texts have the code and the brand once, and fit an SMS', () => {
  expect(verificationText('en', '271828', 'Acme')).toBe('271828 is your Acme verification code.');
  expect(verificationText(null, '271828', null)).toBe('271828 is your verification code.');
  for (const language of verificationLanguages)
    for (const brand of [null, 'A'.repeat(30)]) {
      const text = verificationText(language, '2718281828', brand);
      expect(text.split('2718281828')).toHaveLength(2);
      expect(text.split('A'.repeat(30))).toHaveLength(brand === null ? 1 : 2);
      expect(text.length).toBeLessThanOrEqual(160);
    }
});

test.each([
  ['de-AT', 'Bestätigungscode'],
  ['DE', 'Bestätigungscode'],
  ['pt_BR', 'verificação'],
  ['tlh', 'verification code'],
  ['', 'verification code'],
])('the locale %j', (locale, word) => {
  expect(verificationText(locale, '1', null)).toContain(word);
});

test.each([
  ['de-AT', ['en', 'de', 'de_AT'], 'de_AT'],
  ['de-AT', ['en', 'de_CH', 'de'], 'de'],
  ['de-AT', ['en', 'de_CH'], 'de_CH'],
  ['de-AT', ['fr', 'en_US'], 'en_US'],
  ['en', ['en_GB', 'en_US'], 'en_GB'],
  [null, ['de', 'en'], 'en'],
  ['de', ['fr'], null],
  ['de', [], null],
])('for %j, of %j it is %j', (locale, known, expected) => {
  expect(languageFor(locale, known)).toBe(expected);
});

test('a code is put where the mask is, in texts and templates, and nothing else changes', () => {
  expect(withCode({ text: `${codeMask} is it` }, '1234')).toEqual({ text: '1234 is it' });
  const template = {
    template: {
      name: 'a',
      language: 'en',
      parameters: { body: [codeMask], buttons: [{ index: 0, code: codeMask }] },
    },
    text: `*${codeMask}*`,
    oneTimeCodes: [0],
  };
  expect(hasMask(template)).toBe(true);
  expect(withCode(template, '1234')).toEqual({
    template: {
      name: 'a',
      language: 'en',
      parameters: { body: ['1234'], buttons: [{ index: 0, code: '1234' }] },
    },
    text: '*1234*',
    oneTimeCodes: [0],
  });
  expect(hasMask({ text: 'hello' })).toBe(false);
  expect(hasMask({ type: 'image', url: 'https://example.com', caption: codeMask })).toBe(false);
});

test('an outcome loses the code, however it is written, and keeps what else it says', () => {
  fc.assert(
    fc.property(codes, fc.nat({ max: 5 }), fc.constantFrom('', ' ', '-', '. '), (code, before, between) => {
      const spaced = code.split('').join(between);
      const text = `${'x'.repeat(before)}${spaced} was refused`;
      expect(withoutCodeIn(text, code)).toBe(`${'x'.repeat(before)}${codeMask} was refused`);
      const encoded = Buffer.from(`${'y'.repeat(before)}${code} is your code`).toString('base64');
      expect(base64Forms(code).some((form) => encoded.includes(form))).toBe(true);
      expect(withoutCodeIn(`quoted: ${encoded}`, code)).toBe(codeMask);
    }),
  );
  const outcome: Outcome = { kind: 'rejected', errorCode: 'x', text: 'no 123456', providerCode: '123456' };
  expect(withoutCode(outcome, '123456')).toEqual({
    kind: 'rejected',
    errorCode: 'x',
    text: `no ${codeMask}`,
    providerCode: codeMask,
  });
  expect(withoutCode({ kind: 'accepted', externalId: null }, '123456')).toEqual({
    kind: 'accepted',
    externalId: null,
  });
});

test('a text of a receipt loses its longer numbers', () => {
  expect(withoutNumbers('id:7 sub:001 stat:DELIVRD err:000 text:271828 is')).toBe(
    `id:7 sub:001 stat:DELIVRD err:000 text:${codeMask} is`,
  );
});
