import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A callback as a provider made it. */
export interface TappedCallback {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The public address of an installation. It hands callbacks on to an api, and can keep them back instead. */
export interface CallbackTap extends AsyncDisposable {
  readonly url: string;
  /** The api that gets the callbacks. */
  forwardTo(apiUrl: string): void;
  /** What `make` causes the provider to call. The provider gets a 200, and the api gets nothing. */
  capture(make: () => Promise<unknown>): Promise<readonly TappedCallback[]>;
}

const twiml = { 'content-type': 'text/xml' };

/** Starts the tap on a free port of loopback. */
export async function startCallbackTap(): Promise<CallbackTap> {
  let apiUrl = '';
  let kept: TappedCallback[] | null = null;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      const { method = 'GET', url = '/', headers } = request;
      kept?.push({ method, url, headers, body });
      if (kept !== null) return void response.writeHead(200, twiml).end('<Response/>');
      const answer = await makeCallback(apiUrl, { method, url, headers, body });
      const text = answer === null ? '' : await answer.text();
      const type = answer?.headers.get('content-type') ?? 'text/plain';
      response.writeHead(answer?.status ?? 502, { 'content-type': type }).end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (url) => void (apiUrl = url),
    async capture(make) {
      kept = [];
      await make();
      const captured = kept;
      kept = null;
      return captured;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes a callback at an api. Null if it ends without an answer. */
export async function makeCallback(
  apiUrl: string,
  { method, url, headers, body }: TappedCallback,
): Promise<Response | null> {
  const kept = ['authorization', 'content-type', 'x-hub-signature-256', 'x-twilio-signature'].flatMap(
    (name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]),
  );
  const init = { method, headers: Object.fromEntries(kept), ...(method === 'GET' ? {} : { body }) };
  return fetch(apiUrl + url, init).catch(() => null);
}
