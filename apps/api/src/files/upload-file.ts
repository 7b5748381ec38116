import { UploadedFile } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import type { ObjectStore } from '@notify/egress';
import type { Settings } from '@notify/runtime';
import type { SharedPlaces } from '@notify/turns';
import { FileBody } from '../http/input/file-body.ts';
import { NoParams, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { shownFile } from './shown-file.ts';
import { storeFile } from './store-file.ts';
import { inUploadPlace, maxUploadsPerTenant } from './upload-places.ts';

export const [uploadFileByKey, uploadFile] = defineTwins({
  byKey: { operationId: 'files.upload', path: '/v1/notify/files', tag: 'Files', scope: 'send' },
  byBearer: { operationId: 'tenantFiles.upload', path: '/v1/files', tag: 'Files', scope: 'messages:send' },
  method: 'post',
  summary: 'Upload a file',
  description: `Stores a file that media sends then name as \`fileId\`, in place of a public URL. The body is the file itself, with its name in \`Content-Disposition\`, or a form with the one field \`file\`. The type is read from the first bytes; a \`Content-Type\` of an image, video or audio file must agree with it. Only the key that uploaded a file can use it, the keys that replace that key, and sessions and service tokens. What a session or a service token uploads, no key can use. An unused file is removed after 24 hours, a used one an hour after its last message has ended. A tenant can upload ${maxUploadsPerTenant} files at once in each process.`,
  params: NoParams,
  query: NoQuery,
  body: FileBody,
  status: 201,
  response: UploadedFile,
  problems: ['invalid-request', 'too-large', 'unsupported-media-type', 'limit-reached'],
  async handle(
    { body, caller: { tenantId, keyId }, request },
    {
      db,
      settings,
      objects,
      uploadPlaces,
    }: {
      readonly db: Db;
      readonly settings: Settings;
      readonly objects: ObjectStore | null;
      readonly uploadPlaces: SharedPlaces;
    },
  ) {
    // A file has its own place.
    request.place.leave();
    return inUploadPlace(uploadPlaces, tenantId, (ended) =>
      body.receive(settings.maxFileBytes, async (file) =>
        shownFile(await storeFile(file, { tenantId, keyId, settings, ended, db, objects })),
      ),
    );
  },
});
