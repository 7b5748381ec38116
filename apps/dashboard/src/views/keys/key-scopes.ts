import type { ApiKey } from '@notify/sdk';

/** What a key may be allowed to do. */
export type KeyScope = ApiKey['scopes'][number];

/** Every scope, and what it allows. */
export const keyScopes: readonly { readonly name: KeyScope; readonly says: string }[] = [
  { name: 'send', says: 'Send messages, one by one and in bulk.' },
  { name: 'read', says: 'Retrieve one message by its ID, with its file.' },
  { name: 'list', says: 'List messages, with their recipients and content.' },
  { name: 'cancel', says: 'Cancel a message before it is sent.' },
  { name: 'conversations:read', says: 'List conversations and their messages in both directions.' },
  { name: 'conversations:write', says: 'Mark conversations as read, and show contacts that somebody types.' },
];
