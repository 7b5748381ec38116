import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '@notify/egress';

/** A file in a form. `open` yields exactly `bytes` bytes. */
export interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

/** A form with a file. */
export interface Multipart {
  /** The value of the Content-Type header; names the boundary. */
  readonly contentType: string;
  readonly body: StreamedBody;
}

/**
 * Makes a `multipart/form-data` body (RFC 7578) as a stream, so it is never whole in memory. The fields keep their
 * order and the file comes last. Its length is exact. Names are escaped as browsers do it (HTML standard,
 * "multipart/form-data encoding"). The HTTP client must check that the file has as many bytes as it claims.
 */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
  boundary: string = `notify-${randomUUID()}`,
): Multipart {
  const head = Buffer.from(`${Object.entries(fields).map(fieldPart).join('')}${fileHead()}`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

  function fieldPart([name, value]: readonly [string, string]): string {
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`;
  }

  function fileHead(): string {
    const disposition = `form-data; name="${escaped(file.name)}"; filename="${escaped(file.filename) || 'file'}"`;
    return `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${file.mimeType}\r\n\r\n`;
  }

  async function* open(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file.open();
    yield tail;
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: { length: head.length + file.bytes + tail.length, open },
  };
}

/**
 * A name as a header takes it. Parsers refuse a part whose header has control characters, take a backslash at the end for an
 * escape of the quote, and a file without a name for a field.
 */
function escaped(name: string): string {
  return name
    .toWellFormed()
    .replaceAll('"', '%22')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(/\p{Cc}|\\(?=\\*$)/gu, '_');
}
