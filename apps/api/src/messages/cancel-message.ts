import { MessageDetails } from '@notify/contract';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { cancel, type CancelNeeds } from './cancel.ts';
import { MessageParams, readMessageId } from './message-id.ts';

export const [cancelMessageByKey, cancelMessage] = defineTwins({
  byKey: {
    operationId: 'messages.cancel',
    path: '/v1/notify/messages/:id/cancel',
    tag: 'Sending',
    scope: 'cancel',
  },
  byBearer: {
    operationId: 'tenantMessages.cancel',
    path: '/v1/messages/:id/cancel',
    tag: 'Messages',
    scope: 'messages:manage',
  },
  method: 'post',
  summary: 'Cancel a message',
  description:
    'The message fails with the code `canceled`, and webhooks receive the event as for any failure. A message that is being sent, or that an earlier attempt may have delivered, can no longer be canceled.',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found', 'not-cancelable'],
  handle: ({ params, caller }, deps: CancelNeeds) => cancel(readMessageId(params.id), caller, deps),
});
