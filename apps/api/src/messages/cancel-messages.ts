import { CanceledMessages, CancelMessages } from '@notify/contract';
import { NoParams, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import type { CancelNeeds } from './cancel.ts';
import { cancelMany } from './cancel-many.ts';

const description =
  'Cancels up to 10,000 waiting messages that match. Each one fails with the code `canceled`, and webhooks receive its event. A message that is being sent, or that an earlier attempt may have delivered, is not canceled. With `dryRun` nothing changes.';

export const [cancelMessagesByKey, cancelMessages] = defineTwins({
  byKey: {
    operationId: 'messages.cancelMany',
    path: '/v1/notify/messages/cancel',
    tag: 'Sending',
    description: `${description} A key for some accounts cancels only their messages.`,
    scope: 'cancel',
  },
  byBearer: {
    operationId: 'tenantMessages.cancelMany',
    path: '/v1/messages/cancel',
    tag: 'Messages',
    scope: 'messages:manage',
  },
  method: 'post',
  summary: 'Cancel messages by filter',
  description,
  params: NoParams,
  query: NoQuery,
  body: CancelMessages,
  status: 200,
  response: CanceledMessages,
  problems: ['invalid-request'],
  handle: ({ body, caller }, deps: CancelNeeds) => cancelMany(body, caller, deps),
});
