import { jidDecode, type proto, type WAMessageKey } from '@whiskeysockets/baileys';
import type { DeviceStore } from '../devices/device-store.ts';
import type { Ack } from './ack.ts';
import type { DeviceReceipt } from './message-updates.ts';
import type { RetryCounts } from './retry-counts.ts';

/** How often a message is sent again to a device that could not read it. */
const maxResends = 5;

export interface ResendDeps {
  readonly store: Pick<DeviceStore, 'askedAgain'>;
  readonly counts: RetryCounts;
  /** Whether a JID is one of the account's own. */
  readonly isOwn: (jid: string) => boolean;
  /** The server's answer to a resent message. Null if none came in time, undefined if the connection has ended. */
  readonly ackOf: (id: string) => Promise<Ack | null | undefined>;
  readonly onReceipt: (receipt: DeviceReceipt) => void;
}

/**
 * The callback Baileys calls before it resends a message. Returns the message, or undefined to not resend it. Calls
 * `onReceipt` for each message that could not be resent, or was refused. If the recipient's phone does not have the
 * message, it has failed. If only a linked device lacks it, the message keeps its status and gets a line in its
 * timeline. If the connection ends, the server repeats the request over the next one.
 */
export function createResender({
  store,
  counts,
  isOwn,
  ackOf,
  onReceipt,
}: ResendDeps): (key: WAMessageKey) => Promise<proto.IMessage | undefined> {
  function giveUp(id: string, device: string, why: string, providerCode?: string): void {
    counts.end(id, device);
    if (!isOwn(device)) onReceipt(receiptOf(id, device, why, providerCode));
  }

  async function follow(id: string, device: string): Promise<void> {
    const ack = await ackOf(id);
    if (ack === null) giveUp(id, device, 'it could not be sent again');
    else if (ack !== undefined && ack.error !== null)
      giveUp(id, device, `WhatsApp rejected it when it was resent (${ack.error})`, ack.error);
  }

  return async ({ id, participant: device }) => {
    // Answers to polls ask for messages too, without the asker's name. We send no polls.
    if (!id || !device) return undefined;
    const asked = await store.askedAgain(id, device);
    if (asked === null) giveUp(id, device, 'it is no longer kept here');
    else if (asked.times > maxResends) giveUp(id, device, `it was sent again ${maxResends} times`);
    else {
      void follow(id, device);
      return asked.content;
    }
    return undefined;
  };
}

function receiptOf(id: string, device: string, why: string, providerCode: string | undefined): DeviceReceipt {
  const code = providerCode === undefined ? {} : { providerCode };
  if ((jidDecode(device)?.device ?? 0) > 0)
    return {
      id,
      status: 'sent',
      text: `A linked device of the recipient could not read the message, and ${why}.`,
      ...code,
    };
  return {
    id,
    status: 'failed',
    errorCode: 'undelivered',
    text: `The recipient's phone could not read the message, and ${why}.`,
    ...code,
  };
}
