import { parseId } from '@notify/core';
import Type from 'typebox';
import { found } from '../problems/found.ts';

/** Path parameters of the routes of one file. */
export const FileParams = Type.Object({ id: Type.String() });

/** The bare id in a path. Throws `not-found` if the text is no file id. */
export function readFileId(text: string): string {
  return found(parseId('file', text));
}
