export type { ConversationRow } from './conversation.ts';
export { findConversation, listConversations } from './list.ts';
export { createPairing, maxOpenPairings } from './pairing.ts';
export { externalIdsToTell, markRead } from './read.ts';
export { readThread } from './thread.ts';
