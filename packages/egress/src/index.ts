export {
  type AddressBlock,
  type AddressCheck,
  compileBlocks,
  covers,
  formatBlock,
  readBlock,
} from './guard/address-blocks.ts';
export { checkUrl, type UrlRules } from './guard/check-url.ts';
export type { Lookup } from './connections/connect.ts';
export {
  createSocketDial,
  type Dialled,
  type SocketDial,
  type SocketDialOptions,
  type SocketTarget,
} from './connections/socket-dial.ts';
export { createHttpClient, type HttpClientOptions } from './exchange/create-client.ts';
export type { EgressRules } from './guard/guard.ts';
export type {
  HttpClient,
  HttpErrorClass,
  HttpRequest,
  HttpResult,
  HttpStream,
  SpooledFile,
  StreamedBody,
  StreamRequest,
} from './http-client.ts';
export { inChunks } from './media/in-chunks.ts';
export {
  createMediaClient,
  type Downloaded,
  type Looked,
  type MediaClient,
  type MediaClientOptions,
  type MediaFailure,
  mediaTimes,
} from './media/media-client.ts';
export type { MediaErrorClass } from './media/media-error.ts';
export { sniff, sniffedBytes } from './media/sniff.ts';
export {
  type ObjectDraft,
  type ObjectFailure,
  type ObjectStore,
  type ObjectStoreOptions,
  openObjectStore,
} from './objects/object-store.ts';
