import { hashSecret, nameSecret, secretText } from '@notify/runtime';
import { keyPrefix } from '../http/credential.ts';

/** New keys, and the form of a key. */
export const { make: makeKey, isWellFormed: isWellFormedKey } = secretText(keyPrefix);

/** The hash of a key, and its name in memory. */
export { hashSecret as hashKey, nameSecret as nameKey };
