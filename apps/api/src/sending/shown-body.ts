import type { Message, MessageDetails } from '@notify/contract';
import type { InboundBody, MessageBody } from '@notify/core';

/** The body of a message as the API shows it. What only the worker needs is left out. */
export function shownBody(body: MessageBody): Message['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'];
export function shownBody(body: MessageBody | InboundBody): MessageDetails['body'] {
  if (!('template' in body)) return body;
  const { template, text } = body;
  return { template, ...(text === undefined ? {} : { text }) };
}
