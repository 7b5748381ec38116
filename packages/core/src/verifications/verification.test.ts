import fc from 'fast-check';
import type { Outcome } from '../messages/outcome.ts';
import { afterCheck, type CheckState, codeMask, looksPumped, mostTries } from './verification.ts';
import { hasMask, withCode, withoutCode } from './verification-code.ts';
import { languageFor, verificationLanguages, verificationText } from './verification-text.ts';

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

describe('the outcome of a message with the code 483921', () => {
  const of = (outcome: Outcome) => withoutCode(outcome, '483921');

  test.each([
    { kind: 'rejected', errorCode: 'x', text: 'no 483921', providerCode: '400' },
    { kind: 'retry', errorCode: 'x', text: 'no 483921', providerCode: 'ERR-131026', afterMs: 5_000 },
    { kind: 'connection-broken', text: 'no 483921', providerCode: 'invalid_sender' },
    { kind: 'throttled', text: 'no 483921', afterMs: 483_921, scope: 'account' },
    { kind: 'unknown', text: 'no 483921' },
  ] as const)('$kind has a text without it, and everything else', (outcome) => {
    expect(of(outcome)).toEqual({ ...outcome, text: `no ${codeMask}` });
  });

  test.each(['483921', 'E483921', '343833393231', '48-39-21', 'no 483921', 'NDgzOTIx', '４８３９２１'])(
    'has no provider code %s',
    (providerCode) => {
      expect(of({ kind: 'rejected', errorCode: 'x', text: 'no', providerCode })).toEqual({
        kind: 'rejected',
        errorCode: 'x',
        text: 'no',
      });
    },
  );

  test.each([
    'id483921',
    'm-48-39-21',
    'sent 483921',
    '４８３９２１',
    '%34%38%33%39%32%31',
    'a343833393231',
    '003400380033003900320031',
    btoa('483921 is it'),
    Buffer.from('x483921 is it', 'utf16le').toString('base64'),
  ])('has no id %s', (externalId) => {
    expect(of({ kind: 'accepted', externalId })).toEqual({ kind: 'accepted', externalId: null });
  });

  test.each([
    '7483921774839210',
    'SM0123456789abcdef0123456789abcdef',
    '01912d68-783e-7a03-8467-5661c1243ad4',
    'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI3NzBBM0JFRjRDN0YzMzA2NDgA',
    '<a/1+2=@gw>',
    null,
  ])('has the id %s', (externalId) => {
    expect(of({ kind: 'accepted', externalId })).toEqual({ kind: 'accepted', externalId });
  });

  test('has receipts without it', () => {
    const receipt = { status: 'failed', afterMs: 300, errorCode: 'undelivered' } as const;
    const accepted = { kind: 'accepted', externalId: 'a' } as const;
    expect(of({ ...accepted, receipts: [{ ...receipt, text: '483921' }, receipt] })).toEqual({
      ...accepted,
      receipts: [{ ...receipt, text: codeMask }, receipt],
    });
  });
});
