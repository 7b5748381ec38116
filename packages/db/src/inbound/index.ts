export { handOnLateTexts } from './late-pieces.ts';
export { learnAddresses, type LearnedAddress } from './learned.ts';
export type { InboundAccount, NewInbound, NewlyReceived, StoredInbound } from './received.ts';
export { type StoredBatch, storeReceived } from './store.ts';
