import { secretText } from '@notify/runtime';

/** The prefix of every service token. */
export const tokenPrefix = 'svc_tok_' as const;

/** New service tokens, and the form of one. */
export const { make: makeToken, isWellFormed: isWellFormedToken } = secretText(tokenPrefix);
