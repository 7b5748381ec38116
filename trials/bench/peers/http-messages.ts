/** An HTTP request or response, as read from a socket. */
export interface HttpMessage {
  /** `POST /send HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly start: string;
  readonly body: string;
}

const end = '\r\n\r\n';

/**
 * Parses HTTP/1.1 messages from the chunks of a socket. It knows only what our peers send: bodies with
 * `Content-Length`, or none. It needs far less CPU than Node's own server, and leaves that CPU to the service under
 * test.
 */
export function createReader(onMessage: (message: HttpMessage) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    rest += chunk.toString('latin1');
    for (;;) {
      const headEnd = rest.indexOf(end);
      if (headEnd < 0) return;
      const head = rest.slice(0, headEnd);
      const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const total = headEnd + end.length + bodyLength;
      if (rest.length < total) return;
      const message = {
        start: head.slice(0, head.indexOf('\r\n')),
        body: rest.slice(headEnd + end.length, total),
      };
      rest = rest.slice(total);
      onMessage(message);
    }
  };
}
