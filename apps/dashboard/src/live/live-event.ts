/** An event of the tenant's stream, with the fields that views look at. docs/events.md describes its whole body. */
export interface LiveEvent {
  /** Such as `message.received`. */
  readonly name: string;
  readonly messageId: string | null;
  readonly accountId: string | null;
  /** Who wrote an inbound message; else null. */
  readonly from: string | null;
  /** The recipient, or the contact that the event is about. */
  readonly to: string | null;
  /** What a pairing link was made for; else null. */
  readonly reference: string | null;
}

/** Reads the data of one event of the stream: `{headers, body}`, with the body as a text. Null for anything else. */
export function readLiveEvent(data: string): LiveEvent | null {
  const body = parsed(fieldsOf(parsed(data))['body']);
  const fields = fieldsOf(body);
  const name = textOf(fields['event']);
  if (name === null) return null;
  return {
    name,
    messageId: textOf(fields['messageId']),
    accountId: textOf(fields['channelAccountId']),
    from: textOf(fields['from']),
    to: textOf(fields['to']),
    reference: textOf(fields['reference']),
  };
}

/** Whether two addresses lead to the same contact. A phone number may be written with or without its plus. */
export function isSameAddress(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && plain(one) === plain(other);
}

function plain(address: string): string {
  return address.replaceAll(/[\s+()-]/g, '');
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
