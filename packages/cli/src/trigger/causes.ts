import type { Channel, Notify, WebhookEventName } from '@notify/sdk';
import { CommandFailure } from '../failures.ts';
import type { ListenedEvent } from '../listen/entry.ts';
import { addressOf, sandboxAccount } from './sandbox.ts';

/** What to trigger, and how. */
export interface Wish {
  readonly channel: Channel | undefined;
  /** The sandbox account; default the first of the channel. */
  readonly account: string | undefined;
  /** The recipient, or the person who writes. */
  readonly to: string | undefined;
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Tells the event that was caused from others that happen at the same time. */
export type IsIt = (event: ListenedEvent) => boolean;

/** Makes the sandbox cause the event. */
export type Cause = (notify: Notify, wish: Wish) => Promise<IsIt>;

/** Channels on which a delivery is reported. On telegram, messages end at sent. */
const reporting: readonly Channel[] = ['sms', 'whatsapp'];

/** The digits of recipients whose messages the sandbox delivers, and of those that it reports as failed later. */
const delivered = '9999';
const failedLater = '0004';
/** Of recipients whose messages the sandbox refuses. */
const refused = '0001';

/** The events of the list that the sandbox can cause, and how. */
export const causes = {
  'message.queued': sending('sms', delivered),
  'message.sent': sending('sms', delivered),
  'message.delivered': sending('sms', delivered, reporting),
  // Only whatsapp reports that a message was read.
  'message.read': sending('whatsapp', delivered, ['whatsapp']),
  'message.failed': (notify, wish) =>
    sending('sms', wish.channel === 'telegram' ? refused : failedLater)(notify, wish),
  async 'message.received'(notify, wish) {
    const { channelAccountId, person } = await whom(notify, wish);
    const { messageId } = await write(notify, wish, channelAccountId, person, wish.text);
    return (event) => event.messageId === messageId;
  },
  async 'contact.opted-out'(notify, wish) {
    const { channelAccountId, person } = await whom(notify, wish);
    await write(notify, wish, channelAccountId, person, 'STOP');
    return isOf(channelAccountId, person);
  },
  // A word of consent changes something only for a person who has opted out.
  async 'contact.opted-in'(notify, wish) {
    const { channelAccountId, person } = await whom(notify, wish);
    await write(notify, wish, channelAccountId, person, 'STOP');
    await write(notify, wish, channelAccountId, person, 'START');
    return isOf(channelAccountId, person);
  },
  'group.delivered': sendingGroup([refused, delivered], reporting),
  'group.failed': sendingGroup([refused, refused]),
} as const satisfies Readonly<
  Record<Exclude<WebhookEventName, 'contact.paired' | 'verification.held'>, Cause>
>;

/** Fails for a channel on which the event never happens, instead of waiting for it. */
function demandChannel(channel: Channel, possible: readonly Channel[] | undefined): void {
  if (possible?.includes(channel) ?? true) return;
  throw new CommandFailure(`this event does not happen on ${channel}`, {
    hint: `Use --channel ${possible!.join(' or ')}. On telegram a message ends at sent, and only whatsapp tells that one was read.`,
  });
}

function sending(usual: Channel, ending: string, possible?: readonly Channel[]): Cause {
  return async (notify, { channel = usual, account, to, text, signal }) => {
    demandChannel(channel, possible);
    const channelAccountId = await sandboxAccount(notify, channel, account, signal);
    const recipient = to ?? addressOf(channel, ending);
    const { id } = await notify.tenantMessages.send(
      { channel, to: recipient, text, channelAccountId },
      { signal },
    );
    return (event) => event.messageId === id;
  };
}

/** Sends a group with a route for each ending. */
function sendingGroup(endings: readonly string[], possible?: readonly Channel[]): Cause {
  return async (notify, { channel = 'sms', account, to, text, signal }) => {
    demandChannel(channel, possible);
    const channelAccountId = await sandboxAccount(notify, channel, account, signal);
    const routes = endings.map((ending) => ({
      channel,
      to: to ?? addressOf(channel, ending),
      text,
      channelAccountId,
    }));
    const { id } = await notify.tenantGroups.send({ routes }, { signal });
    return (event) => event.groupId === id;
  };
}

async function whom(
  notify: Notify,
  { channel = 'sms', account, to, signal }: Wish,
): Promise<{ channelAccountId: string; person: string }> {
  const channelAccountId = await sandboxAccount(notify, channel, account, signal);
  return { channelAccountId, person: to ?? addressOf(channel, delivered) };
}

function write(
  notify: Notify,
  { signal }: Wish,
  channelAccountId: string,
  from: string,
  text: string,
): Promise<{ readonly messageId: string }> {
  return notify.channelAccounts.simulateInbound(channelAccountId, { from, text }, { signal });
}

/** Whether the event is of this contact. The service may write its address in another form. */
function isOf(channelAccountId: string, person: string): IsIt {
  const digits = (address: string | null | undefined): string => (address ?? '').replaceAll(/\D/g, '');
  return (event) => event.channelAccountId === channelAccountId && digits(event.to) === digits(person);
}
