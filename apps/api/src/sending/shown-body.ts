import type { Message, MessageDetails } from '@notify/contract';
import { formatId, type InboundBody, type MessageBody, noUrl } from '@notify/core';

/** The body of a message as the API shows it. What only the worker needs is left out. An uploaded file has no URL. */
export function shownBody(body: MessageBody): Message['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'] {
  if ('url' in body && body.url === noUrl) {
    const { fileId, ...rest } = body;
    return { ...rest, url: null, ...(fileId === undefined ? {} : { fileId: formatId('file', fileId) }) };
  }
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
