import { jidDecode, type proto, type WAMessageKey } from '@whiskeysockets/baileys';
import type { Ack } from './ack.ts';
import type { DeviceStore } from './device-store.ts';
import type { RetryCounts } from './retry-counts.ts';
import type { Report } from './reports.ts';

/** How often a device is sent a message again that it could not read. */
const maxResends = 5;

export interface ResendDeps {
  readonly store: Pick<DeviceStore, 'askedAgain'>;
  readonly counts: RetryCounts;
  /** Whether a JID is one of the account's own. */
  readonly isOwn: (jid: string) => boolean;
  /** The server's answer to what is sent again. Null where none came in time, undefined where the connection has ended. */
  readonly ackOf: (id: string) => Promise<Ack | null | undefined>;
  readonly onReport: (report: Report) => void;
}

/**
 * What Baileys asks before it sends a message again: the message, or undefined when it is not to be. Told of each message
 * that could not be sent again, or was refused: the phone of the recipient does not have it, so it has failed. Linked
 * devices of theirs are a matter of their own: the message stays as it is, with a line in its timeline. Where the
 * connection ends, the server repeats the request over the next one.
 */
export function createResender({
  store,
  counts,
  isOwn,
  ackOf,
  onReport,
}: ResendDeps): (key: WAMessageKey) => Promise<proto.IMessage | undefined> {
  function giveUp(id: string, device: string, why: string, providerCode?: string): void {
    counts.end(id, device);
    if (!isOwn(device)) onReport(reportOf(id, device, why, providerCode));
  }

  async function follow(id: string, device: string): Promise<void> {
    const ack = await ackOf(id);
    if (ack === null) giveUp(id, device, 'it could not be sent again');
    else if (ack !== undefined && ack.error !== null)
      giveUp(id, device, `WhatsApp rejected it when it was resent (${ack.error})`, ack.error);
  }

  return async ({ id, participant: device }) => {
    // Answers to polls ask for messages too, without saying who asks. We send no polls.
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

function reportOf(id: string, device: string, why: string, providerCode: string | undefined): Report {
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
