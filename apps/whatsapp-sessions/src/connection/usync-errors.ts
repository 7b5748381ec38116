import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChild } from '@whiskeysockets/baileys';

/**
 * WhatsApp reports a failed part of a query inside a usync answer, such as too many queries (429). Baileys 7.0.0-rc14
 * does not look there, and would take the empty list for a number that is not on WhatsApp. This makes the first such
 * error an error of the whole query. Call it before Baileys reads the answer.
 */
export function raiseUsyncError(stanza: BinaryNode): void {
  if (stanza.tag !== 'iq' || !Array.isArray(stanza.content)) return;
  // Not by `getBinaryNodeChild`, which caches the parts of a stanza at the first call.
  const usync = stanza.content.find(({ tag }) => tag === 'usync');
  const result = getBinaryNodeChild(usync, 'result');
  if (result === undefined) return;
  const error = getAllBinaryNodeChildren(result)
    .map((part) => getBinaryNodeChild(part, 'error'))
    .find((found) => found !== undefined);
  if (error !== undefined) stanza.content.push(error);
}
