import { CloudError } from './whatsapp-cloud-errors.ts';

/** What a business told a person: a message of theirs was read, and maybe that somebody types. */
export interface CloudTold {
  readonly phoneNumberId: string;
  readonly messageId: string;
  readonly typing: boolean;
}

/** Whether a body of `POST …/messages` tells something, and so is no message. */
export function isTold(body: unknown): body is object {
  return typeof body === 'object' && body !== null && 'status' in body;
}

/**
 * Reads such a body, limited to what we send. Throws Meta's error for a wrong one, and for a message that nobody wrote to the
 * number.
 */
export function readTold(
  phoneNumberId: string,
  body: object,
  written: ReadonlyMap<string, string>,
): CloudTold {
  const { messaging_product, status, message_id, typing_indicator, ...surplus } = body as Record<
    string,
    unknown
  >;
  const [unknown] = Object.keys(surplus);
  if (unknown !== undefined) throw new CloudError(100, `Unexpected key "${unknown}"`);
  if (messaging_product !== 'whatsapp') throw new CloudError(100, 'messaging_product must be whatsapp');
  if (status !== 'read') throw new CloudError(131009, 'status must be read');
  const typing = typing_indicator !== undefined;
  if (typing && JSON.stringify(typing_indicator) !== '{"type":"text"}')
    throw new CloudError(131009, 'typing_indicator has no such type');
  if (typeof message_id !== 'string') throw new CloudError(131008, 'message_id is missing');
  if (written.get(message_id) !== phoneNumberId) throw new CloudError(131009, 'There is no such message');
  return { phoneNumberId, messageId: message_id, typing };
}
