import {
  isHostedLidUser,
  isHostedPnUser,
  isJidGroup,
  isLidUser,
  isPnUser,
  jidDecode,
} from '@whiskeysockets/baileys';

/**
 * A JID as `to` of a send: a phone number in E.164, else WhatsApp's own id of a person (`…@lid`) or a group (`…@g.us`).
 * Null if it names neither a person nor a group.
 */
export function addressOf(jid: string): string | null {
  const { user } = jidDecode(jid) ?? {};
  if (user === undefined) return null;
  if (isPnUser(jid) || isHostedPnUser(jid)) return `+${user}`;
  if (isLidUser(jid) || isHostedLidUser(jid)) return `${user}@lid`;
  return isJidGroup(jid) ? jid : null;
}
