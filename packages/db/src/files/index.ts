export type { FileFailure } from './failure.ts';
export { endRequest, readChunks, requestFile } from './reader.ts';
export {
  claimRequests,
  type ClaimLimits,
  dropForgottenFiles,
  endFile,
  type FileRequest,
  readSoFar,
  writeChunk,
} from './writer.ts';
