import { counter } from './registry.ts';

/** One-time codes that the api sends and checks. */
export const verifications = {
  /** `result` is the kind of a start's result; for a limit `limited-recipient` or `limited-prefix`. */
  starts: counter('verification_starts_total', 'Verifications that were to be started', ['result']),
  /** `result` is `approved`, `wrong`, `ended`, `unknown` or `no-key`. */
  checks: counter('verification_checks_total', 'Codes that were to be checked', ['result']),
};
