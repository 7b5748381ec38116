/** The events of a message that was sent, in the order of its life, each with its meaning. */
export const messageEvents = [
  { name: 'message.queued', says: 'accepted and waiting to be sent' },
  { name: 'message.sent', says: 'handed to the provider' },
  { name: 'message.delivered', says: 'delivered to the recipient' },
  { name: 'message.read', says: 'read by the recipient' },
  { name: 'message.failed', says: 'cannot be delivered' },
] as const;

/** The events of people who write to an account. A webhook receives them only if it names them. */
export const inboundEvents = [
  { name: 'message.received', says: 'a person wrote to an account' },
  { name: 'contact.paired', says: 'a person opened a pairing link' },
  { name: 'contact.opted-out', says: 'a person wants no more messages' },
  { name: 'contact.opted-in', says: 'a person wants messages again' },
] as const;

/** The events of groups. A webhook receives them only if it names them. */
export const groupEvents = [
  { name: 'group.delivered', says: 'a message of a group was delivered' },
  { name: 'group.failed', says: 'no message of a group could be delivered' },
] as const;

/** The events of verifications. A webhook receives them only if it names them. */
export const verificationEvents = [
  { name: 'verification.held', says: 'one-time codes to a country are held back' },
] as const;

/** All events that a webhook can receive. */
export const eventKinds = [...messageEvents, ...inboundEvents, ...groupEvents, ...verificationEvents];

export type EventName = (typeof eventKinds)[number]['name'];

/** A webhook's events in few words: all of them, all of the messages you send, or their names. */
export function eventsInShort(events: readonly string[]): string {
  if (events.length === eventKinds.length) return 'All events';
  const isEachOfSent = messageEvents.every(({ name }) => events.includes(name));
  const optional = [...inboundEvents, ...groupEvents, ...verificationEvents];
  if (!isEachOfSent) return events.map((name) => name.replace('message.', '')).join(', ');
  const others = optional.map(({ name }) => String(name)).filter((name) => events.includes(name));
  return ['All events of messages you send', ...others].join(', ');
}
