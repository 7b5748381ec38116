import type { ServerResponse } from 'node:http';

/** Answers a text as it is. Head and body leave as one string; Node adds the length. */
export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.end(text);
}
