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

/** How long a number without a LID is not asked about again, in ms. */
const rememberedMs = 3_600_000;

/** What becomes of a message to a number of which WhatsApp names no LID. */
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
 * Null where WhatsApp names the recipient's LID, else what becomes of the message. That there is none is final, and
 * remembered for an hour. Rejects when it cannot be found out now.
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

/** Asks for the LID of one number. Baileys asks too, but its answer does not tell an error from "there is none". */
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

/** Whether the answer names a LID. Throws where it says nothing of the number, or that it could not be found out. */
export function namesLid(answer: BinaryNode): boolean {
  const usync = getBinaryNodeChild(answer, 'usync');
  const [user] = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
  if (user === undefined || isError(getBinaryNodeChild(usync, 'result')) || isError(user))
    throw new Error('WhatsApp did not say whether the number has a LID');
  return Boolean(getBinaryNodeChild(user, 'lid')?.attrs['val']);
}

/** Whether an error stands in this part, or in one of its parts. */
function isError(part: BinaryNode | undefined): boolean {
  if (part === undefined) return false;
  return part.tag === 'error' || getAllBinaryNodeChildren(part).some(isError);
}
