export { endUpload, sweepUploads } from './end.ts';
export { findContents, findUpload, readContents, recallUpload } from './read.ts';
export { sweepObjects } from './objects.ts';
export type { Upload, UploadPlace } from './upload.ts';
export { beginUpload, dropUpload, finishUpload, writeUploadChunk } from './write.ts';
