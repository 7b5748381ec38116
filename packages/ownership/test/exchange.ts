import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A connection of an account, as the exchange sees it. */
export interface Line {
  readonly accountId: string;
  /** The settings of the account with which it was opened. */
  readonly password: string;
  readonly pid: number;
  readonly openedAt: number;
  /** When the exchange knew that it is closed, or was told so first. Null while it is open. */
  closedAt: number | null;
}

/** A message that came over a line. */
export interface Carried {
  readonly id: string;
  readonly pid: number;
}

/** A provider that accounts connect to. It takes every message, and refuses the password `wrong`. */
export interface Exchange extends AsyncDisposable {
  readonly port: number;
  /** In the order of their opening. */
  readonly lines: readonly Line[];
  readonly carried: readonly Carried[];
  /** The lines that are open. */
  open(): Line[];
}

/** What an account says over its line, one JSON a line. */
export type Said =
  { readonly open: string; readonly password: string; readonly pid: number } | { readonly message: string };

/** Listens on a free port of this machine. */
export async function startExchange(): Promise<Exchange> {
  const lines: Line[] = [];
  const carried: Carried[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let line: Line | null = null;
    const answer = (word: string): void => void socket.write(`${JSON.stringify(word)}\n`);
    const close = (): void => {
      if (line !== null) line.closedAt ??= performance.now();
    };
    createInterface({ input: socket }).on('line', (text) => {
      const said = JSON.parse(text) as Said;
      if ('message' in said) {
        carried.push({ id: said.message, pid: line!.pid });
        return answer('taken');
      }
      if (said.password === 'wrong') return answer('refused');
      const { open: accountId, password, pid } = said;
      line = { accountId, password, pid, openedAt: performance.now(), closedAt: null };
      lines.push(line);
      answer('open');
    });
    socket.on('error', () => undefined);
    socket.on('end', close);
    socket.on('close', () => {
      sockets.delete(socket);
      close();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    carried,
    open: () => lines.filter(({ closedAt }) => closedAt === null),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Pairs of lines of one account that were open at once. */
export function overlaps(lines: readonly Line[]): (readonly [Line, Line])[] {
  return lines.flatMap((one, index) =>
    lines
      .slice(index + 1)
      .filter((other) => other.accountId === one.accountId && other.openedAt < (one.closedAt ?? Infinity))
      .map((other) => [one, other] as const),
  );
}
