import { deflateSync } from 'node:zlib';
import { proto } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import type { LinkedDevice } from '../server/linked-devices.ts';
import { jidOf, lidOf } from '../server/stanzas.ts';
import { upload } from './files.ts';
import { writeTo } from './written.ts';

/** A chat that the phone had before it was linked. */
export interface HistoryChat {
  readonly phone: string;
  /** Whether the chat is identified by number or by LID, and whether it also names the other. */
  readonly by: 'number' | 'lid';
  readonly namesOther?: boolean;
  /** The contact's privacy token, in base64, and its time, in seconds of the epoch. */
  readonly token?: string;
  readonly tokenAt?: number;
  readonly messages?: number;
}

/** The chat history that a phone sends its linked devices. */
export interface HistoryOrder {
  readonly account: string;
  readonly chats: readonly HistoryChat[];
  /** Further numbers whose LIDs the history holds. */
  readonly lidsOf?: readonly string[];
  /** Inside the message itself; otherwise as a file. */
  readonly inline?: boolean;
  /** The file differs from the one that the phone has sent. */
  readonly changed?: boolean;
  /** Another phone sends the history. */
  readonly from?: string;
}

const { HistorySyncType: syncTypes } = proto.HistorySync;
const { Type: protocolTypes } = proto.Message.ProtocolMessage;

/** Sends the connected devices of an account its chat history. */
export async function tellHistory(peer: Peer, order: HistoryOrder): Promise<void> {
  const devices = peer.linked.of(order.account).filter(({ connection }) => connection !== null);
  for (const device of devices) await tellDevice(peer, device, order);
}

async function tellDevice(peer: Peer, device: LinkedDevice, order: HistoryOrder): Promise<void> {
  const deflated = deflateSync(historyOf(order));
  const where = order.inline
    ? { initialHistBootstrapInlinePayload: deflated }
    : await upload(peer, deflated, 'md-msg-hist', order.changed);
  const historySyncNotification = { syncType: syncTypes.RECENT as number, progress: 100, ...where };
  const type = protocolTypes.HISTORY_SYNC_NOTIFICATION;
  const from = order.from ?? device.phone;
  await writeTo(peer, device, { from }, { protocolMessage: { type, historySyncNotification } });
}

function historyOf({ chats, lidsOf = [] }: HistoryOrder): Uint8Array {
  return proto.HistorySync.encode({
    syncType: syncTypes.RECENT,
    conversations: chats.map(conversationOf),
    phoneNumberToLidMappings: lidsOf.map((phone) => ({
      pnJid: jidOf({ phone, device: 0 }),
      lidJid: lidOf({ phone, device: 0 }),
    })),
  }).finish();
}

function conversationOf({
  phone,
  by,
  namesOther = false,
  token,
  tokenAt,
  messages = 0,
}: HistoryChat): proto.IConversation {
  const [number, lid] = [jidOf({ phone, device: 0 }), lidOf({ phone, device: 0 })];
  const other = by === 'lid' ? { pnJid: number } : { lidJid: lid };
  const given = { tcToken: Buffer.from(token ?? '', 'base64'), tcTokenTimestamp: tokenAt ?? 0 };
  return {
    id: by === 'lid' ? lid : number,
    ...(namesOther ? other : {}),
    ...(token === undefined ? {} : given),
    messages: Array.from({ length: messages }, (_, index) => ({
      message: {
        key: { remoteJid: number, fromMe: index % 2 === 0, id: `OLD-${index}` },
        message: { conversation: `an old message ${index} ${'.'.repeat(500)}` },
      },
    })),
  };
}
