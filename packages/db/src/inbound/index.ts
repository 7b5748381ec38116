export { handOnLateTexts } from './late-pieces.ts';
export { learnAddresses } from './learned.ts';
export { expectNumber, forgetNumber, type Numbered } from './numbered.ts';
export type { InboundAccount, NewInbound, NewlyReceived, StoredInbound } from './received.ts';
export { type StoredBatch, storeReceived } from './store.ts';
