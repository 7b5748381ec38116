import type { TellRequestRow, TellResult } from '@notify/db/whatsapp';
import { isJidGroup, isLidUser } from '@whiskeysockets/baileys';

/** The part of a connection that telling needs. */
export interface TellingSocket {
  lidOf(phone: string): Promise<string | null>;
  markRead(jid: string, ids: readonly string[]): Promise<boolean>;
  showTyping(jid: string): Promise<void>;
}

/**
 * Tells a person something over a device. `delivered` means that it was written to the connection: WhatsApp answers neither.
 * A read receipt in a group must name the writer, whom we do not store, so it is not supported. Rejects when the connection
 * ends.
 */
export async function tellOver(
  socket: TellingSocket,
  { state, to, externalIds }: Pick<TellRequestRow, 'state' | 'to' | 'externalIds'>,
): Promise<TellResult> {
  if (state === 'read' && isJidGroup(to)) return 'not-supported';
  const jid = await jidOf(socket, to);
  if (state === 'read') return (await socket.markRead(jid, externalIds)) ? 'delivered' : 'not-supported';
  await socket.showTyping(jid);
  return 'delivered';
}

/** The LID of a person if it is known, because WhatsApp addresses chats by it, and otherwise the number. */
async function jidOf(socket: TellingSocket, to: string): Promise<string> {
  if (isJidGroup(to) || isLidUser(to)) return to;
  const phone = to.replace(/\D/g, '');
  return (await socket.lidOf(phone)) ?? `${phone}@s.whatsapp.net`;
}
