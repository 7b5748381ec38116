export {
  type Claimed,
  type ClaimedAccount,
  claimMessages,
  type ClaimRequest,
  type ClaimTerms,
  releaseMessages,
} from './claim.ts';
export { recordConsents } from './consent.ts';
export { nextDue, type NextDue, overdueAccounts } from './next-due.ts';
export { dropOldSlots, takeSlots } from './pace.ts';
export { type Settlement, settleMessages } from './settle.ts';
