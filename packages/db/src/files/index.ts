export type { FileFailure } from './failure.ts';
export { endRequest, readChunks, requestFile } from './reader.ts';
export {
  claimRequests,
  type ClaimLimits,
  dropForgottenFiles,
  endFile,
  type FileRequest,
  giveBack,
  readSoFar,
  writeChunk,
} from './writer.ts';
