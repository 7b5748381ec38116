import type { Message, MessageDetails } from '@notify/contract';
import type { InboundBody, MessageBody } from '@notify/core';

/** The body of a message as the API shows it. What only the worker needs is left out. */
export function shownBody(body: MessageBody): Message['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'] {
  if (!('template' in body)) return withoutThread(body);
  const { template, text } = body;
  return { template, ...(text === undefined ? {} : { text }) };
}

/** The topic of an inbound message, which is stored with its content and shown beside it. */
export function threadOf(body: MessageBody | InboundBody): number | null {
  return 'threadId' in body && typeof body.threadId === 'number' ? body.threadId : null;
}

function withoutThread<B extends object>(body: B): B {
  if (!('threadId' in body)) return body;
  const { threadId: _, ...rest } = body;
  return rest as unknown as B;
}
