import type { HttpSmsSettings } from '../settings/settings.ts';
import { maxInstructions, weigh } from './pattern.ts';
import { compileSteps, maxCompileSteps } from './pattern-cost.ts';

type Patterns = Pick<HttpSmsSettings, 'success' | 'externalId' | 'errors'>;
type Fault = { readonly at: string; readonly message: string };

const tooComplex = 'makes the patterns of this account too complex in total';

/**
 * Checks the patterns of an account. Each is compiled only if an estimate says that it is cheap, and the first that is
 * beyond the limits ends the check, so that no settings hold the process for long.
 */
export function checkPatterns(settings: Patterns): Fault[] {
  const faults: Fault[] = [];
  let [steps, instructions] = [0, 0];
  const known = new Set<string>();
  for (const { at, pattern } of patternsOf(settings)) {
    steps += compileSteps(pattern, known);
    if (steps > maxCompileSteps) return [...faults, { at, message: tooComplex }];
    const weight = weigh(pattern);
    if ('problem' in weight) faults.push({ at, message: weight.problem });
    else instructions += weight.instructions;
    if (instructions > maxInstructions) return [...faults, { at, message: tooComplex }];
  }
  return faults;
}

/** Whether stored patterns, which may be older than a limit, are too expensive to compile. */
export function hasExpensivePatterns(settings: Patterns): boolean {
  const known = new Set<string>();
  const steps = patternsOf(settings).reduce((sum, { pattern }) => sum + compileSteps(pattern, known), 0);
  return steps > maxCompileSteps;
}

function patternsOf({ success, externalId, errors = [] }: Patterns): { at: string; pattern: string }[] {
  const patterns = [
    { at: '/success/body', pattern: success?.body },
    { at: '/externalId/pattern', pattern: externalId?.pattern },
    ...errors.map((rule, index) => ({ at: `/errors/${index}/body`, pattern: rule.body })),
  ];
  return patterns.flatMap(({ at, pattern }) => (pattern === undefined ? [] : [{ at, pattern }]));
}
