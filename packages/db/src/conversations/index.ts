export type { ConversationRow } from './conversation.ts';
export { findConversation, listConversations } from './list.ts';
export { createPairing, maxOpenPairings } from './pairing.ts';
export { markRead, type Written, writtenToTell } from './read.ts';
export { readThread } from './thread.ts';
