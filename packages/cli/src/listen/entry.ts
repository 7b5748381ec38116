/** The fields of an event that `listen` and `trigger` read. Their body may have more. */
export interface ListenedEvent {
  readonly event: string;
  /** Null for events of contacts. */
  readonly messageId: string | null;
  /** Set on events of groups, and of their messages. */
  readonly groupId?: string;
  readonly id: string;
  readonly channelAccountId: string | null;
  /** Events of verifications have none. */
  readonly to?: string | null;
  readonly occurredAt: string;
  readonly sequence?: number | null;
}

/** An event to forward. */
export interface Entry {
  /** The position after it; null if this event has none of its own. */
  readonly cursor: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: ListenedEvent;
}

/** Events with the same lane are forwarded one after another: those of a message, or of a contact. */
export function laneOf({ messageId, channelAccountId, to }: ListenedEvent): string {
  return messageId ?? `${channelAccountId} ${to ?? null}`;
}
