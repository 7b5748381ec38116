import type { Db } from '@notify/db/connection';
import { endUpload } from '@notify/db/uploads';
import { NoBody, NoContent, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { FileParams, readFileId } from './file-id.ts';

export const [deleteFileByKey, deleteFile] = defineTwins({
  byKey: { operationId: 'files.delete', path: '/v1/notify/files/:id', tag: 'Files', scope: 'send' },
  byBearer: {
    operationId: 'tenantFiles.delete',
    path: '/v1/files/:id',
    tag: 'Files',
    scope: 'messages:send',
  },
  method: 'delete',
  summary: 'Delete an uploaded file',
  description: 'Files are also removed by themselves. This makes room earlier.',
  params: FileParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found', 'file-in-use'],
  async handle({ params, caller }, { db }: { readonly db: Db }) {
    const ended = found(await endUpload(db, caller, readFileId(params.id)));
    if (ended === 'in-use') throw new Problem('file-in-use');
  },
});
