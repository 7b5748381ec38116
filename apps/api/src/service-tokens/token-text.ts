import { secretText } from '@notify/runtime';
import { tokenPrefix } from '../http/credential.ts';

/** New service tokens, and the form of one. */
export const { make: makeToken, isWellFormed: isWellFormedToken } = secretText(tokenPrefix);
