import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { InterimFilter } from './interim-filter.ts';

/** undici publishes here "immediately before the first byte of the request is written" (its page DiagnosticsChannel). */
const channel = 'undici:client:sendHeaders';
const filterOf = Symbol('filter of informational answers');

type FilteredSocket = Socket & { [filterOf]?: InterimFilter };

/**
 * From now on, every connection of undici in this process passes over informational answers (1xx), those of Node's `fetch`
 * included. undici itself takes a 100 that it did not ask for as a broken connection, so a request that was taken would
 * count as failed. Too many such answers break the connection with undici's `HeadersOverflowError`. May be called again.
 */
export function passOverInterimAnswers(): void {
  unsubscribe(channel, onSend);
  subscribe(channel, onSend);
}

function onSend(message: unknown): void {
  const { socket } = message as { readonly socket: FilteredSocket };
  if ((socket as Partial<TLSSocket>).alpnProtocol === 'h2') return;
  socket[filterOf] ??= filtered(socket);
  socket[filterOf].expectAnswer();
}

/** undici takes what a socket received by calling its `read` without a size, and only so. */
function filtered(socket: Socket): InterimFilter {
  const filter = new InterimFilter();
  const read = socket.read.bind(socket) as (bytes?: number) => Buffer | null;
  socket.read = (size) => {
    if (size !== undefined) return read(size);
    for (let chunk = read(); chunk !== null; chunk = read()) {
      try {
        const bytes = filter.take(chunk);
        if (bytes !== null) return bytes;
      } catch (error) {
        socket.destroy(error as Error);
        return null;
      }
    }
    return null;
  };
  return filter;
}
