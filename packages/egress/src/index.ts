export { checkUrl, type UrlRules } from './check-url.ts';
export type { Lookup } from './connect.ts';
export { createHttpClient, type HttpClientOptions } from './create-client.ts';
export type { EgressRules } from './guard.ts';
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
export {
  createMediaClient,
  type Downloaded,
  type Looked,
  type MediaClient,
  type MediaClientOptions,
  type MediaFailure,
  mediaTimes,
} from './media-client.ts';
export type { MediaErrorClass } from './media-error.ts';
