/** A request or an answer, as it came over a socket. */
export interface HttpMessage {
  /** `POST /send HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly start: string;
  readonly body: string;
}

const end = '\r\n\r\n';

/**
 * Reads HTTP/1.1 messages out of what a socket gives, as far as peers of ours write them: with `Content-Length`, or
 * without a body. Far cheaper than Node's own server, so that the peer does not eat what is to be measured.
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
