export { checkVerification, findComparable, type VerificationRef } from './check.ts';
export { countRefused, readCounts } from './counts.ts';
export { findVerification, type VerificationRow } from './find.ts';
export { readLimits, replaceLimits } from './limits.ts';
export { findKey, type Repeater } from './request-key.ts';
export { codePlace, carriesCode, findSealedCode } from './sealed-code.ts';
export type { NewVerification, RequestKey, Started, StoredCode } from './new-verification.ts';
export {
  searchVerifications,
  type VerificationFilter,
  type VerificationPage,
  type VerificationSearch,
} from './search.ts';
export { type StartResult, startVerification } from './start.ts';
export { endExpired, pendingUnderOtherKeys } from './sweep.ts';
