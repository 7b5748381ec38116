import type { Message, MessageDetails } from '../../api/schema.ts';

/** A message that was accepted just now, as lists show it: nothing is known yet of what became of it. */
export function detailsOf(
  {
    id,
    error,
    errorCode,
    channelAccountId,
    provider,
    to,
    type,
    status,
    body,
    createdAt,
    scheduledAt,
  }: Message,
  replyTo: string | null,
): MessageDetails {
  return {
    messageId: id,
    channelAccountId,
    provider,
    to,
    type,
    status,
    body,
    createdAt,
    scheduledAt,
    direction: 'outbound',
    from: null,
    contact: null,
    replyTo,
    receivedAt: null,
    externalId: null,
    error: error ?? null,
    errorCode: errorCode ?? null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    expiresAt: createdAt,
    updatedAt: createdAt,
    urgent: false,
    attempts: 0,
    segments: null,
    possibleDuplicate: false,
  };
}
