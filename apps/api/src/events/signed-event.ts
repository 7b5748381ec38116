import type { ListedEvent } from '@notify/contract';
import { formatId } from '@notify/core';
import type { StoredEvent } from '@notify/db/events';
import { signatureHeaders } from '@notify/runtime';

/** An event with the headers that a webhook would get, as if it were posted at this moment. */
export function signedEvent({ id, body }: StoredEvent, secret: string, at: Date): ListedEvent {
  const signed = signatureHeaders({
    secrets: [secret],
    id: formatId('evt', id),
    at,
    body: Buffer.from(body),
  });
  return { headers: { 'content-type': 'application/json', ...signed }, body };
}
