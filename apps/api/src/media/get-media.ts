import { FileStream } from '../http/file-stream.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { MessageParams, readMessageId } from '../messages/message-id.ts';
import { lookUp, type LookUps } from '../sending/look-up.ts';
import { maxPerTenant } from './file-places.ts';
import { type MediaNeeds, openMedia } from './open-media.ts';

export const [getMediaByKey, getMedia] = defineTwins({
  byKey: {
    operationId: 'messages.getMedia',
    path: '/v1/notify/messages/:id/media',
    tag: 'Sending',
    scope: 'read',
  },
  byBearer: {
    operationId: 'tenantMessages.getMedia',
    path: '/v1/messages/:id/media',
    tag: 'Messages',
    scope: 'messages:read',
  },
  method: 'get',
  summary: 'Download the file of an inbound message',
  description: `The file of an inbound message, read from the provider while you download it; Notify keeps no copy. Save it soon, because providers delete files after days or weeks. If the connection ends before the whole file has arrived, the file broke off: request it again. A tenant can read ${maxPerTenant} files at once in each process.`,
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: FileStream,
  problems: ['not-found', 'media-expired'],
  async handle({ params, caller, request }, deps: MediaNeeds & { readonly lookUps: LookUps }) {
    const messageId = readMessageId(params.id);
    if (caller.keyId !== null) {
      const message = await lookUp(deps.lookUps, { ...caller, messageId });
      if (message === 'key-revoked') throw new Problem('invalid-api-key');
      found(message);
    }
    return openMedia(
      { tenantId: caller.tenantId, messageId, gone: request.gone(), place: request.place },
      deps,
    );
  },
});
