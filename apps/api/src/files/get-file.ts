import { UploadedFile } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findUpload } from '@notify/db/uploads';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { found } from '../problems/found.ts';
import { FileParams, readFileId } from './file-id.ts';
import { shownFile } from './shown-file.ts';

export const [getFileByKey, getFile] = defineTwins({
  byKey: { operationId: 'files.get', path: '/v1/notify/files/:id', tag: 'Files', scope: 'send' },
  byBearer: { operationId: 'tenantFiles.get', path: '/v1/files/:id', tag: 'Files', scope: 'messages:send' },
  method: 'get',
  summary: 'Get an uploaded file',
  description: 'What is known of the file. Its contents cannot be downloaded.',
  params: FileParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: UploadedFile,
  problems: ['not-found'],
  async handle({ params, caller }, { db }: { readonly db: Db }) {
    return shownFile(found(await findUpload(db, caller, readFileId(params.id))));
  },
});
