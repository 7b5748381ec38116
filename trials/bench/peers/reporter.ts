import { connect, type Socket } from 'node:net';
import { createReader } from './http-messages.ts';

/** Calls the URLs of delivery reports by GET, over open connections. */
export interface Reporter {
  report(url: string): void;
  /** Reports answered with 2xx. The refused got any other answer and are sent again. */
  readonly reported: number;
  readonly refused: number;
}

/** Wait before a refused report is sent again, in ms, as a provider does. */
const againMs = 1_000;

/** Keeps at most `connections` reports in flight, all to one host. */
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
        // A server closes a long idle connection, which must then get no report.
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

/** One connection, with at most one report in flight. */
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
