import type { DownloadBehaviour } from './messages/media-host.ts';
import type { Commands } from '@notify/testkit/peer-process';
import { type NotificationOrder, notify } from './accounts/notifications.ts';
import { type HistoryOrder, tellHistory } from './messages/history.ts';
import { type InboundOrder, write } from './messages/person.ts';
import { askAgain, type ReceiptOrder } from './messages/receipts.ts';
import type { Peer } from './peer.ts';
import { jidOf } from './server/stanzas.ts';

/** Commands for events from outside an account: messages, histories, notifications, requests for a message. */
export function commandsFromOutside(peer: Peer): Commands {
  return {
    'POST /ask-again': ({ account, from, id }: Omit<ReceiptOrder, 'kind'>) => {
      const address = { phone: from, device: 0 };
      const keys = [peer.numbers.party(address)?.registration()].filter((one) => one !== undefined);
      peer.linked.of(account).forEach((device) => askAgain(device, jidOf(address), id, keys, 1));
    },
    'POST /history': (order: HistoryOrder) => tellHistory(peer, order),
    'POST /inbound': (order: InboundOrder) => write(peer, order),
    'POST /downloads': (behaviour: DownloadBehaviour) => peer.media.behaveDownloads(behaviour),
    'POST /refuse-downloads': (times: number) => peer.media.refuseDownloads(times),
    'POST /notify': (order: NotificationOrder) => notify(peer, order),
  };
}
