import { webhooks } from '@notify/sdk';
import type { Entry } from './entry.ts';

/** The age from which an event is signed anew, in ms. Receivers refuse what is older than five minutes. */
const freshMs = 60_000;

/**
 * The headers of an attempt: those that came with the event, or newly signed ones if it waited, as the service signs each
 * attempt of a webhook (docs/events.md, "Headers"). X-Svc-Signature covers the body alone, so it stays.
 */
export async function headersAt(
  { headers, body }: Entry,
  secret: string,
  nowMs: number,
): Promise<Readonly<Record<string, string>>> {
  const ageMs = Math.abs(nowMs - Number(headers['webhook-timestamp']) * 1_000);
  const id = headers['webhook-id'];
  if (id === undefined || ageMs < freshMs) return headers;
  return { ...headers, ...(await webhooks.sign(body, secret, { id, now: new Date(nowMs) })) };
}
