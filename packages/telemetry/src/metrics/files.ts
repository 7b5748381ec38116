import { counter } from './registry.ts';

/** Files that tenants upload to send them. */
export const files = {
  /** `result` is `stored` or `refused`; cut-off uploads are refused. */
  uploads: counter('files_uploads_total', 'Uploads of files that ended', ['result']),
  uploadedBytes: counter('files_uploaded_bytes_total', 'Bytes of the files that were stored', []),
  swept: counter('files_swept_total', 'Uploaded files that were removed because their time was over', []),
  sweptBytes: counter(
    'files_swept_bytes_total',
    'Bytes of the files that were removed because their time was over',
    [],
  ),
};
