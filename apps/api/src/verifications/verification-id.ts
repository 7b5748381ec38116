import { parseId } from '@notify/core';
import Type from 'typebox';
import { found } from '../problems/found.ts';

/** Path parameters of the routes of one verification. */
export const VerificationParams = Type.Object({ id: Type.String() });

/** The bare ID in a path. Throws `not-found` if the text is no verification ID. */
export function readVerificationId(text: string): string {
  return found(parseId('ver', text));
}
