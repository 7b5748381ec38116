import type { Commands } from '@notify/testkit/peer-process';
import { type HistoryOrder, tellHistory } from './history.ts';
import { sendInbound } from './inbound.ts';
import { type NotificationOrder, notify } from './notifications.ts';
import type { Peer } from './peer.ts';
import { askAgain, type ReceiptOrder } from './receipts.ts';
import { jidOf } from './stanzas.ts';

/** A text from another phone to an account. */
export interface InboundOrder {
  readonly account: string;
  readonly from: string;
  readonly text: string;
}

/** Commands for events from outside an account: messages, histories, notifications, requests for a message. */
export function commandsFromOutside(peer: Peer): Commands {
  return {
    'POST /ask-again': ({ account, from, id }: Omit<ReceiptOrder, 'kind'>) => {
      const address = { phone: from, device: 0 };
      const keys = [peer.numbers.party(address)?.registration()].filter((one) => one !== undefined);
      peer.linked.of(account).forEach((device) => askAgain(device, jidOf(address), id, keys, 1));
    },
    'POST /history': (order: HistoryOrder) => tellHistory(peer, order),
    'POST /inbound': async ({ account, from, text }: InboundOrder) => {
      for (const device of peer.linked.of(account))
        if (device.connection !== null) await sendInbound(peer, device, from, { conversation: text });
    },
    'POST /refuse-downloads': (times: number) => peer.media.refuseDownloads(times),
    'POST /notify': (order: NotificationOrder) => notify(peer, order),
  };
}
