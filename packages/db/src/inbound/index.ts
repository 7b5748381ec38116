export { handOnLateTexts } from './late-pieces.ts';
export { learnAddresses } from './learned.ts';
export type { InboundAccount, NewInbound, NewlyReceived, StoredInbound } from './received.ts';
export { type StoredBatch, storeReceived } from './store.ts';
