/*
 * Node's `fetch` takes a `100 Continue` that it did not ask for as a broken connection, so a send that was accepted would
 * fail. A client must read and pass over informational answers (RFC 9110, 15.2), and some proxies send them unasked.
 */

/** The limit of all informational answers to one request, in bytes. */
const maxBytes = 65_536;
/** An informational status line up to the end of its status. `0` is any digit, and `;` a space or the end of the line. */
const informational = 'HTTP/0.0 100;';
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const filterOf = Symbol('filter of informational answers');

/** What is used of the socket of a request. */
interface Socket {
  alpnProtocol?: unknown;
  read(size?: number): Uint8Array | null;
  destroy(error: Error): unknown;
  [filterOf]?: InterimFilter;
}

const origins = new Set<string>();

/**
 * Makes requests of `fetch` to this origin pass over informational answers. Does something only in Node, and only to
 * connections to that origin. Before Node 20.16 and 22.3, which have no `getBuiltinModule`, it does nothing.
 */
export function passOverInterimAnswers(origin: string): void {
  const host = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const channels = host.process?.getBuiltinModule?.('node:diagnostics_channel') as
    { subscribe(name: string, onMessage: (message: unknown) => void): void } | undefined;
  // Node publishes here immediately before the first byte of a request is written.
  if (origins.size === 0) channels?.subscribe('undici:client:sendHeaders', onSend);
  origins.add(origin);
}

function onSend(message: unknown): void {
  const { request, socket } = message as { request: { origin?: unknown }; socket: Socket };
  if (!origins.has(String(request.origin)) || socket.alpnProtocol === 'h2') return;
  socket[filterOf] ??= filtered(socket);
  socket[filterOf].expectAnswer();
}

/** Node takes what arrived by calling `read` without a size. */
function filtered(socket: Socket): InterimFilter {
  const filter = new InterimFilter();
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    if (size !== undefined) return read(size);
    for (let chunk = read(); chunk !== null; chunk = read()) {
      const bytes = filter.take(chunk);
      if (bytes === 'too many') {
        socket.destroy(new Error('too many informational answers'));
        return null;
      }
      if (bytes !== null) return bytes;
    }
    return null;
  };
  return filter;
}

/** Takes the informational answers out of what arrives on one connection, which carries one request at a time. */
class InterimFilter {
  /** `start`: a status line comes next. `head`: in a head that is passed over. `final`: nothing is passed over. */
  #state: 'start' | 'head' | 'final' = 'final';
  #lineIsEmpty = false;
  #held: Uint8Array | null = null;
  #passed = 0;

  expectAnswer(): void {
    this.#state = 'start';
    this.#held = null;
    this.#passed = 0;
  }

  /** What is left of `chunk`, or null if that is nothing for now. */
  take(chunk: Uint8Array): Uint8Array | null | 'too many' {
    if (this.#state === 'final') return chunk;
    let bytes = this.#held === null ? chunk : joined(this.#held, chunk);
    this.#held = null;
    for (;;) {
      bytes = this.#pass(bytes);
      if (this.#passed > maxBytes) return 'too many';
      if (bytes.length === 0) return null;
      const status = readStatus(bytes);
      if (status === 'unclear') {
        this.#held = bytes;
        return null;
      }
      this.#state = status;
      this.#lineIsEmpty = false;
      if (status === 'final') return bytes;
    }
  }

  /** Passes over the rest of a head, and over empty lines before a status line. */
  #pass(bytes: Uint8Array): Uint8Array {
    let at = 0;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      const ends = byte === lineFeed || byte === carriageReturn;
      if (this.#state === 'start' && !ends) break;
      if (byte === lineFeed && this.#lineIsEmpty) this.#state = 'start';
      if (byte !== carriageReturn) this.#lineIsEmpty = byte === lineFeed;
    }
    this.#passed += at;
    return at === 0 ? bytes : bytes.subarray(at);
  }
}

/** What a status line begins: 101 ends HTTP on the connection, so it is final. */
function readStatus(bytes: Uint8Array): 'head' | 'final' | 'unclear' {
  const line = String.fromCharCode(...bytes.subarray(0, informational.length));
  for (const [at, byte] of Array.from(line).entries()) if (!fits(byte, informational[at]!)) return 'final';
  if (line.length < informational.length) return 'unclear';
  return line.slice(9, 12) === '101' ? 'final' : 'head';
}

function fits(character: string, wanted: string): boolean {
  if (wanted === ';') return ' \r\n'.includes(character);
  return wanted === '0' ? character >= '0' && character <= '9' : character === wanted;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
