import { errors } from 'undici';

/** The limit of all informational answers to one request, in bytes. It is more than any server needs. */
export const maxInterimBytes = 65_536;

/** An informational status line up to the end of its status. `0` is any digit, and `;` a space or the end of the line. */
const informational = Buffer.from('HTTP/0.0 100;');
const anyDigit = 0x30;
const anyEnd = 0x3b;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;

/**
 * Takes the informational answers (1xx) out of what a server sends on one connection, which carries one request at a time. A
 * client must read and pass over those that it did not ask for (RFC 9110, 15.2). The filter keeps 101, which ends HTTP on
 * a connection, what comes without a request, and everything from the head of a final answer on.
 */
export class InterimFilter {
  /** `start`: a status line comes next. `head`: in a head that is passed over. `final`: nothing is passed over. */
  private state: 'start' | 'head' | 'final' = 'final';
  private lineIsEmpty = false;
  /** The beginning of a status line that does not tell yet what it is. */
  private held: Buffer | null = null;
  private passedBytes = 0;

  /** A request is being sent. The next final answer belongs to it. */
  expectAnswer(): void {
    this.state = 'start';
    this.held = null;
    this.passedBytes = 0;
  }

  /**
   * The bytes of `chunk` without informational answers, or null if nothing is left for now. Throws undici's
   * `HeadersOverflowError` if they are longer than `maxInterimBytes`.
   */
  take(chunk: Buffer): Buffer | null {
    if (this.state === 'final') return chunk;
    let bytes = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    this.held = null;
    for (;;) {
      bytes = this.passEmptyLines(this.passHead(bytes));
      if (this.passedBytes > maxInterimBytes)
        throw new errors.HeadersOverflowError('its informational answers are too long');
      if (bytes.length === 0) return null;
      const isInformational = readStatus(bytes);
      if (isInformational === null) {
        this.held = bytes;
        return null;
      }
      this.state = isInformational ? 'head' : 'final';
      this.lineIsEmpty = false;
      if (!isInformational) return bytes;
    }
  }

  private passHead(bytes: Buffer): Buffer {
    let at = 0;
    while (at < bytes.length && this.state === 'head') {
      const byte = bytes[at]!;
      if (byte === lineFeed && this.lineIsEmpty) this.state = 'start';
      if (byte !== carriageReturn) this.lineIsEmpty = byte === lineFeed;
      at += 1;
    }
    return this.after(at, bytes);
  }

  /** Empty lines before a status line mean nothing (RFC 9112, 2.2). */
  private passEmptyLines(bytes: Buffer): Buffer {
    let at = 0;
    while (bytes[at] === carriageReturn || bytes[at] === lineFeed) at += 1;
    return this.after(at, bytes);
  }

  private after(at: number, bytes: Buffer): Buffer {
    this.passedBytes += at;
    return at === 0 ? bytes : bytes.subarray(at);
  }
}

/** Whether these bytes begin with a status line that is to be passed over. Null if there are too few to tell. */
function readStatus(bytes: Buffer): boolean | null {
  const known = Math.min(bytes.length, informational.length);
  for (let at = 0; at < known; at += 1) if (!fits(bytes[at]!, informational[at]!)) return false;
  if (known < informational.length) return null;
  return bytes.toString('latin1', 9, 12) !== '101';
}

function fits(byte: number, wanted: number): boolean {
  if (wanted === anyEnd) return byte === space || byte === carriageReturn || byte === lineFeed;
  return wanted === anyDigit ? byte >= 0x30 && byte <= 0x39 : byte === wanted;
}
