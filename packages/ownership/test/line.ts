import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Hold } from '../src/kept-connection.ts';
import type { Said } from './exchange.ts';

/** The lines of a process, by account. */
export type Lines = Map<string, Line>;

/** An open connection to the exchange. */
export interface Line {
  /** Resolves when the exchange has taken it. False if the line is broken. */
  send(messageId: string): Promise<boolean>;
}

/** Opens the line of an account, and resolves when it has ended. `late` is told how a write after the end went. */
export async function holdLine(
  { account, signal, tell }: Hold,
  port: number,
  lines: Lines,
  late: (result: 'written' | 'refused') => void,
): Promise<void> {
  const { id } = account;
  const { password } = account.settings as { readonly password: string };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const ask = async (said: Said): Promise<unknown> => {
    socket.write(`${JSON.stringify(said)}\n`);
    const { value } = (await answers.next()) as { value?: string };
    return value === undefined ? null : JSON.parse(value);
  };
  try {
    const answer = await ask({ open: id, password, pid: process.pid });
    if (answer === 'refused') return await tell({ status: 'action-required', detail: 'wrong password' });
    if (answer !== 'open') return;
    lines.set(id, { send: async (message) => (await ask({ message })) === 'taken' });
    await tell({ status: 'connected', detail: `by ${process.pid}` });
    await closed;
  } finally {
    lines.delete(id);
    socket.destroy();
    await closed;
    // What a connection must not do, so that the fence is seen to stop it.
    if (signal.aborted)
      await tell({ status: 'disconnected', detail: `late, by ${process.pid}` }).then(
        () => late('written'),
        () => late('refused'),
      );
  }
}
