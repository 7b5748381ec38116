export type { HttpClient, HttpErrorClass, HttpRequest, HttpResult } from './http-client.ts';
