export { endUpload, sweepUploads } from './end.ts';
export { findContents, findUpload, readContents, recallUpload } from './read.ts';
export type { Upload } from './upload.ts';
export { beginUpload, dropUpload, finishUpload, writeUploadChunk } from './write.ts';
