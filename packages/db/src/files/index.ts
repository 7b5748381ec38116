export type { FileFailure } from './failure.ts';
export { endRequest, readChunks, requestFile } from './reader.ts';
export {
  claimRequests,
  dropForgottenFiles,
  endFile,
  type FileRequest,
  readSoFar,
  writeChunk,
} from './writer.ts';
