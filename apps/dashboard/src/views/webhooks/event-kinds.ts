/** The events that a webhook can receive, in the order of a message's life, each with its meaning. */
export const eventKinds = [
  { name: 'message.queued', says: 'accepted and waiting to be sent' },
  { name: 'message.sent', says: 'handed to the provider' },
  { name: 'message.delivered', says: 'delivered to the recipient' },
  { name: 'message.read', says: 'read by the recipient' },
  { name: 'message.failed', says: 'cannot be delivered' },
] as const;

export type EventName = (typeof eventKinds)[number]['name'];

/** A webhook's events in few words: "all events", or their names without the common prefix. */
export function eventsInShort(events: readonly string[]): string {
  if (events.length === eventKinds.length) return 'all events';
  return events.map((name) => name.replace('message.', '')).join(', ');
}
