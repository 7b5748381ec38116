export { checkUrl, type UrlRules } from './check-url.ts';
export type { Lookup } from './connect.ts';
export { createHttpClient, type HttpClientOptions } from './create-client.ts';
export type { EgressRules } from './guard.ts';
export type {
  HttpClient,
  HttpErrorClass,
  HttpRequest,
  HttpResult,
  SpooledFile,
  StreamedBody,
} from './http-client.ts';
export { retryAfterMs } from './retry-after.ts';
