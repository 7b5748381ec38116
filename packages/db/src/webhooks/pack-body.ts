import { formatId } from '@notify/core';

/** The fields of an event that order it in a pack. */
export interface OrderedEvent {
  readonly eventId: string;
  readonly messageId: string | null;
  readonly sequence: number | null;
}

/** The JSON of a pack: its id and the bodies of single posts. It depends on the contents alone, so every retry posts the same. */
export function packBody(
  packId: string,
  events: readonly (OrderedEvent & { readonly body: string })[],
): string {
  const bodies = inOrder(events).map((one) => one.body);
  return `{"id":"${formatId('bat', packId)}","events":[${bodies.join(',')}]}`;
}

/** Events in the order in which a pack has them: by id, and those of a message by `sequence`. */
export function inOrder<Event extends OrderedEvent>(events: readonly Event[]): Event[] {
  const byId = events.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  // Each message keeps the places of its events. Only the events change places.
  const ofMessages = Map.groupBy(byId.filter(hasSequence), (one) => one.messageId!);
  for (const ofMessage of ofMessages.values()) ofMessage.sort((a, b) => b.sequence! - a.sequence!);
  return byId.map((one) => (hasSequence(one) ? ofMessages.get(one.messageId!)!.pop()! : one));
}

function hasSequence({ messageId, sequence }: OrderedEvent): boolean {
  return messageId !== null && sequence !== null;
}
