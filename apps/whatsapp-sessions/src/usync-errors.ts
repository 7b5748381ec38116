import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChild } from '@whiskeysockets/baileys';

/**
 * WhatsApp says inside a usync answer which part of the question has failed, such as for too many questions (429).
 * Baileys 7.0.0-rc14 does not look there, and an empty list would mean that a number is not on WhatsApp. To be called
 * before Baileys reads the answer: makes the first such error one of the whole query.
 */
export function raiseUsyncError(stanza: BinaryNode): void {
  if (stanza.tag !== 'iq' || !Array.isArray(stanza.content)) return;
  // Not by `getBinaryNodeChild`, which remembers the parts of a stanza as they were when it was first asked.
  const usync = stanza.content.find(({ tag }) => tag === 'usync');
  const result = getBinaryNodeChild(usync, 'result');
  if (result === undefined) return;
  const error = getAllBinaryNodeChildren(result)
    .map((part) => getBinaryNodeChild(part, 'error'))
    .find((found) => found !== undefined);
  if (error !== undefined) stanza.content.push(error);
}
