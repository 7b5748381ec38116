import fc from 'fast-check';
import { checkPatterns, hasExpensivePatterns } from './check-patterns.ts';
import { weigh } from './pattern.ts';
import { compileSteps, maxCompileSteps } from './pattern-cost.ts';

/** Patterns of every construct that repeats, chooses or names characters. */
const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'a',
      '.',
      '\\d',
      '\\pL',
      '[^a-c]',
      '[]a]',
      '[[:alpha:]-]',
      '\\x{263a}',
      '\\Qa{9}\\E',
      'ß',
    ),
    fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{3}', '{0,4}', '{2,}', '{2,5}'))
      .map(([inner, repetition]) => `(${inner})${repetition}`),
  ),
})).pattern;

test('the estimate is at least half of what a pattern compiles to', () => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      fc.pre(compileSteps(pattern) < 20_000);
      const weight = weigh(pattern);
      expect(compileSteps(pattern)).toBeGreaterThanOrEqual(
        ('instructions' in weight ? weight.instructions : 0) / 2,
      );
    }),
  );
});

const errors = (...bodies: string[]) => ({
  errors: bodies.map((body) => ({ body, means: 'retry' as const })),
});

test.each([
  ['repetitions', 'a{0,1000}'.repeat(33)],
  ['nested repetitions', '((a{0,30}){0,30}){0,30}'],
  ['an open repetition', '(?:b{900,}){1000}'],
  ['a class that is folded character by character', '(?i)[\\x{42}-\\x{1e942}]'],
  ['such a class, spelled out', '(?i:[B-\u{1e942}])'],
  ['such a class by octal escapes', '(?i)[\\101-\\x{ffff}]'],
  ['many classes of Unicode', `[${'\\pL'.repeat(30)}]`],
  ['many classes of Unicode, folded', '(?i)\\pL\\p{Lu}\\PN\\pS\\pL'],
  ['repetitions behind a bracket that opens nothing', 'a)b)a{1000}c{1000}'],
  ['repetitions in an unfinished group', '((((a{100}){100}'],
])('%s are refused without compiling them', (_, pattern) => {
  expect(compileSteps(pattern)).toBeGreaterThan(maxCompileSteps);
});

test.each([
  '^[03]:',
  '(?i)tempor|try again',
  '"id": ?"([0-9a-f-]{36})"',
  '<id>([^<]{1,64})</id>',
  '(?i)ung[üu]ltig|gesperrt|[À-ÿ]{3}',
  '^(?:OK|ACK)[: ]+(\\d{1,20})',
])('%s costs little', (pattern) => {
  expect(compileSteps(pattern)).toBeLessThan(maxCompileSteps / 5);
});

test('the first pattern beyond the limit ends the check, and those before it are named', () => {
  const huge = 'a{0,1000}'.repeat(33);
  const settings = {
    success: { body: huge },
    externalId: { pattern: huge },
    ...errors('(', ...Array<string>(29).fill(huge)),
  };
  expect(checkPatterns(settings).map(({ at }) => at)).toEqual(['/success/body']);
  expect(checkPatterns(errors('ok', '(', 'a{600}', '(')).map(({ at }) => at)).toEqual([
    '/errors/1/body',
    '/errors/2/body',
  ]);
});

test('a folded class of Unicode counts in full only once for an account', () => {
  const rules = ['crédito', 'número', 'inválido', 'rechazado', 'temporal'].map(
    (word) => `(?i)${word} \\p{L}+`,
  );
  expect(checkPatterns(errors(...rules))).toEqual([]);
  expect(hasExpensivePatterns(errors(...rules, '(?i)\\PL', '(?i)\\pL'))).toBe(false);
  expect(hasExpensivePatterns(errors('(?i)\\p{Lu}', '(?i)\\p{Ll}', '(?i)\\p{Lt}', '(?i)\\p{Lo}'))).toBe(true);
});

test('the limit is for all patterns together', () => {
  const one = 'a{0,400}';
  expect(hasExpensivePatterns(errors(one))).toBe(false);
  expect(hasExpensivePatterns(errors(one, one))).toBe(true);
});
