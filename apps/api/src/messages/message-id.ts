import { parseId } from '@notify/core';
import Type from 'typebox';
import { found } from '../problems/found.ts';

/** Path parameters of the routes of one message. */
export const MessageParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no message id. */
export function readMessageId(text: string): string {
  return found(parseId('msg', text));
}
