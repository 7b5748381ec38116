import type { Message } from '@notify/contract';
import type { MessageBody } from '@notify/core';

/** The body of a message as the API shows it. What only the worker needs is left out. */
export function shownBody(body: MessageBody): Message['body'] {
  if (!('template' in body)) return body;
  const { template, text } = body;
  return { template, ...(text === undefined ? {} : { text }) };
}
