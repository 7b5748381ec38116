import type { Inbound } from '@notify/channels';

/**
 * What is stored of a message that Postgres refuses for what is in it: that the person wrote, and what the provider says
 * of their wishes. It has the same id, so a repeat is known. Refused for ever, it would hold up everything behind it.
 */
export function unreadable({ externalId, from, to, sentAt, consent }: Inbound): Inbound {
  return {
    externalId,
    from,
    to,
    sentAt,
    type: 'unsupported',
    body: { kind: 'unreadable' },
    contact: null,
    replyTo: null,
    file: null,
    ...(consent === undefined ? {} : { consent }),
  };
}
