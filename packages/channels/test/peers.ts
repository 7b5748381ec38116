import type { Outcome } from '@notify/core';
import { createHttpClient } from '@notify/egress';
import type { Received, Receiver } from '@notify/testkit';
import {
  type Adapter,
  adapters,
  type CallbackResult,
  type Inbound,
  type OpenedFile,
  type SendRequest,
  type VerifyResult,
} from '../src/index.ts';
import { sendRequest } from './conformance/conformance.ts';

/** The adapter of a provider, its settings and its peer, over the real client. */
export interface Line extends AsyncDisposable {
  send(changes?: Partial<SendRequest>): Promise<Outcome>;
  verify(): Promise<VerifyResult>;
  /** What the adapter makes of a callback that reached `receiver`. */
  read(received: Received): CallbackResult;
  /** The inbound messages of such a callback. */
  readInbound(received: Received): readonly Inbound[];
  /** Opens the file of an inbound message. */
  open(message: Inbound): Promise<OpenedFile>;
}

/** Connects an account at a peer; its callbacks go to `/callbacks/p/a/s` of the receiver. */
export function openLine(provider: string, baseUrl: string, settings: unknown, receiver: Receiver): Line {
  const adapter = demandAdapter(provider);
  const http = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'notify-test' });
  const { signal } = new AbortController();
  const context = { settings, http, baseUrl, signal };
  const line: Line = {
    readInbound(received) {
      const result = line.read(received);
      return result.kind === 'receipts' ? (result.inbound ?? []) : [];
    },
    open: ({ file }) => adapter.openFile!(file, context),
    send: (changes = {}) =>
      adapter.send(sendRequest({ callbackUrl: `${receiver.url}/callbacks/p/a/s`, ...changes }), {
        ...context,
        // Ends calls to a peer that never answers. A busy machine takes a second for one that does.
        signal: AbortSignal.timeout(5_000),
      }),
    verify: () => adapter.verify(context),
    read({ method, url, headers, body }) {
      const result = adapter.parseCallback?.(
        {
          method: method === 'GET' ? 'GET' : 'POST',
          url,
          publicUrl: `${receiver.url}${url}`,
          query: new URL(url, receiver.url).searchParams,
          headers: headers as Readonly<Record<string, string | undefined>>,
          body,
          secretMatches: true,
          address: '192.0.2.1',
        },
        settings,
      );
      if (result === undefined) throw new Error(`${provider} takes no callbacks`);
      return result;
    },
    [Symbol.asyncDispose]: () => http.close(),
  };
  return line;
}

/** The content of an opened file; what was said instead if there is none. */
export async function contentOf(opened: OpenedFile): Promise<Buffer | string> {
  if (opened.kind === 'file') return Buffer.concat(await Array.fromAsync(opened.content));
  return `${opened.kind}: ${opened.detail}`;
}

function demandAdapter(provider: string): Adapter {
  const adapter = adapters.get(provider);
  if (adapter === undefined) throw new Error(`${provider} is not registered`);
  return adapter;
}

/** The statuses of a callback's receipts. */
export function statusesOf(result: CallbackResult): readonly string[] {
  return result.kind === 'receipts' ? result.receipts.map(({ status }) => status) : [result.kind];
}
