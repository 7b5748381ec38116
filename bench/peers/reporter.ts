import { connect, type Socket } from 'node:net';
import { createReader } from './http-messages.ts';

/** Calls report addresses by GET, over connections that are kept open. */
export interface Reporter {
  report(url: string): void;
  /** Reports answered with 2xx, and with anything else: those are sent again. */
  readonly reported: number;
  readonly refused: number;
}

/** How long a refused report waits, in ms; a provider tries again. */
const againMs = 1_000;

/** `connections` reports are under way at most. All go to one host. */
export function createReporter(connections: number): Reporter {
  const waiting: string[] = [];
  const idle: Line[] = [];
  let open = 0;
  let reported = 0;
  let refused = 0;

  function next(): void {
    while (waiting.length > 0) {
      const line = idle.pop() ?? (open < connections ? openLine(waiting[0]!) : undefined);
      if (line === undefined) return;
      line.call(waiting.shift()!);
    }
  }

  function openLine(url: string): Line {
    open += 1;
    return new Line(new URL(url), {
      answered(line, status, of) {
        if (status < 300) reported += 1;
        else again(of);
        idle.push(line);
        next();
      },
      broken(line, of) {
        open -= 1;
        // Servers end what was long idle; a report must not be given to such a line.
        if (idle.includes(line)) idle.splice(idle.indexOf(line), 1);
        if (of !== null) again(of);
      },
    });
  }

  function again(url: string): void {
    refused += 1;
    setTimeout(() => {
      waiting.push(url);
      next();
    }, againMs);
  }

  return {
    report(url) {
      waiting.push(url);
      next();
    },
    get reported() {
      return reported;
    },
    get refused() {
      return refused;
    },
  };
}

interface LineEvents {
  answered(line: Line, status: number, url: string): void;
  broken(line: Line, url: string | null): void;
}

/** One connection, with one report under way at most. */
class Line {
  private readonly socket: Socket;
  private readonly host: string;
  private current: string | null = null;

  constructor({ hostname, port, host }: URL, events: LineEvents) {
    this.host = host;
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const read = createReader(({ start }) => {
      const url = this.current ?? '';
      this.current = null;
      events.answered(this, Number(start.split(' ')[1]), url);
    });
    this.socket.on('data', read);
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => events.broken(this, this.current));
  }

  call(url: string): void {
    this.current = url;
    const path = url.slice(url.indexOf('/', 'http://'.length));
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: ${this.host}\r\n\r\n`);
  }
}
