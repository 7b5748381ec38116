export {
  type Claimed,
  type ClaimedAccount,
  claimMessages,
  type ClaimRequest,
  type ClaimTerms,
  releaseMessages,
} from './claim-messages.ts';
export { countDue, nextDue, overdueAccounts } from './next-due.ts';
export { type Postponement, postponeMessages } from './quiet-hours.ts';
export { dropPastTimes, giveRecipientTimes } from './recipient-pace.ts';
export { isPlainSuccess, settleSent, type SettledSent } from './settle-sent.ts';
export { type Settled, settleMessages } from './settle.ts';
export type { Settlement } from './settlement.ts';
