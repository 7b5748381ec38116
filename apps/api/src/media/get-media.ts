import { FileStream } from '../http/file-stream.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { MessageParams, readMessageId } from '../messages/message-id.ts';
import { maxPerTenant } from './file-places.ts';
import { type MediaNeeds, openMedia } from './open-media.ts';

/** What both ways to a file say about it. */
export const mediaDescription = `The file of an inbound message, read from the provider while you download it; Notify keeps no copy. Save it soon, because providers delete files after days or weeks. If the connection ends before the whole file has arrived, the file broke off: request it again. A tenant can read ${maxPerTenant} files at once in each process.`;

export const getMedia = defineRoute({
  operationId: 'tenantMessages.getMedia',
  method: 'get',
  path: '/v1/messages/:id/media',
  tag: 'Messages',
  summary: 'Download the file of an inbound message',
  description: mediaDescription,
  credential: 'bearer',
  scope: 'messages:read',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: FileStream,
  problems: ['not-found', 'media-expired'],
  handle: ({ params, caller: { tenantId }, request }, deps: MediaNeeds) =>
    openMedia(
      { tenantId, messageId: readMessageId(params.id), gone: request.gone(), place: request.place },
      deps,
    ),
});
