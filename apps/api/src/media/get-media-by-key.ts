import { FileStream } from '../http/file-stream.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { MessageParams, readMessageId } from '../messages/message-id.ts';
import { lookUp, type LookUps } from '../sending/look-up.ts';
import { mediaDescription } from './get-media.ts';
import { openMedia, type MediaNeeds } from './open-media.ts';

export const getMediaByKey = defineRoute({
  operationId: 'messages.getMedia',
  method: 'get',
  path: '/v1/notify/messages/:id/media',
  tag: 'Sending',
  summary: 'Download the file of an inbound message',
  description: mediaDescription,
  credential: 'api-key',
  scope: 'read',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: FileStream,
  problems: ['not-found', 'media-expired'],
  async handle({ params, caller, request }, deps: MediaNeeds & { readonly lookUps: LookUps }) {
    const messageId = readMessageId(params.id);
    const message = await lookUp(deps.lookUps, { ...caller, messageId });
    if (message === 'key-revoked') throw new Problem('invalid-api-key');
    found(message);
    return openMedia(
      { tenantId: caller.tenantId, messageId, gone: request.gone(), place: request.place },
      deps,
    );
  },
});
