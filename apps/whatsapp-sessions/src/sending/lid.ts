import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { saveLackOfLid } from '@notify/db/whatsapp';
import {
  type BinaryNode,
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  S_WHATSAPP_NET,
} from '@whiskeysockets/baileys';

/** How long the answer that a number has no LID is remembered, in ms. */
const rememberedMs = 3_600_000;

/** The outcome of a message to a number without a LID. */
export const withoutLid: Outcome = {
  kind: 'rejected',
  errorCode: 'recipient-unreachable',
  text: 'WhatsApp returned no identity (LID) for this number, so no message can be encrypted for it.',
};

export interface LidDeps {
  readonly db: Db;
  readonly accountId: string;
  readonly socket: { hasLid(jid: string): Promise<boolean> };
}

/**
 * Null if WhatsApp names the recipient's LID, else the outcome of the message. A missing LID is final, and remembered
 * for an hour. Rejects when WhatsApp cannot say now.
 */
export async function demandLid(
  { db, accountId, socket }: LidDeps,
  jid: string,
  phone: string,
): Promise<Outcome | null> {
  if (await socket.hasLid(jid)) return null;
  await saveLackOfLid(db, accountId, phone, rememberedMs);
  return withoutLid;
}

/**
 * Asks for the LID of one number. Baileys asks too, but its answer does not distinguish an error from a missing LID.
 */
export function lidQuery(jid: string, sid: string): BinaryNode {
  const user = { tag: 'user', attrs: { jid } };
  const asked = [
    { tag: 'query', attrs: {}, content: [{ tag: 'lid', attrs: {} }] },
    { tag: 'list', attrs: {}, content: [user] },
  ];
  const usync = { context: 'background', mode: 'query', sid, last: 'true', index: '0' };
  return {
    tag: 'iq',
    attrs: { to: S_WHATSAPP_NET, type: 'get', xmlns: 'usync' },
    content: [{ tag: 'usync', attrs: usync, content: asked }],
  };
}

/** Whether the answer names a LID. Throws if it omits the number or reports an error. */
export function namesLid(answer: BinaryNode): boolean {
  const usync = getBinaryNodeChild(answer, 'usync');
  const [user] = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
  if (user === undefined || isError(getBinaryNodeChild(usync, 'result')) || isError(user))
    throw new Error('WhatsApp did not say whether the number has a LID');
  return Boolean(getBinaryNodeChild(user, 'lid')?.attrs['val']);
}

/** Whether this part, or one of its parts, holds an error. */
function isError(part: BinaryNode | undefined): boolean {
  if (part === undefined) return false;
  return part.tag === 'error' || getAllBinaryNodeChildren(part).some(isError);
}
