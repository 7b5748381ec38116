import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import type { proto } from '@whiskeysockets/baileys';
import { openSealed } from '../files/open-sealed.ts';
import { type History, readHistory } from './read.ts';

/** A phone's notice of a history: its location and key, or the history itself. */
export interface HistoryNotice {
  readonly directPath: string | null;
  readonly mediaKey: Uint8Array | null;
  /** Deflated. */
  readonly inline: Uint8Array | null;
}

/** A phone's notice; null if it announces no history, or a larger one than phones send inline. */
export function noticeOf(message: proto.IMessage | null | undefined): HistoryNotice | null {
  const told = message?.protocolMessage?.historySyncNotification;
  if (!told) return null;
  const { directPath = null, mediaKey = null, initialHistBootstrapInlinePayload: inline = null } = told;
  return (inline?.length ?? 0) > maxInlineBytes ? null : { directPath, mediaKey, inline };
}

/** The limit for the downloaded file, which is sealed and deflated. */
const maxFileBytes = 64 * 1_048_576;
const maxInlineBytes = 4 * 1_048_576;
const withinMs = 300_000;
/** The headers that Baileys sends when it downloads media. */
const headers = { origin: 'https://web.whatsapp.com' };

/**
 * Reads a history as a stream, so neither the file nor its content is ever whole in memory. Calls `host` only if the
 * history must be downloaded. Rejects when it is unavailable, too large, too slow or differs from what the phone sent.
 */
export async function fetchHistory(
  notice: HistoryNotice,
  host: () => Promise<string>,
  signal: AbortSignal,
): Promise<History> {
  const { directPath, mediaKey, inline } = notice;
  if (inline?.length) return inflated(Readable.from([Buffer.from(inline)]), signal);
  if (!directPath?.startsWith('/') || !mediaKey?.length) throw new Error('a history without a place');
  const within = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const response = await fetch(`https://${await host()}${directPath}`, { headers, signal: within });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the media host answered ${response.status}`);
  }
  const sealed = { kind: 'md-msg-hist', mediaKey, maxBytes: maxFileBytes } as const;
  return inflated(openSealed(response.body, sealed), within);
}

async function inflated(deflated: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<History> {
  let history: History | null = null;
  await pipeline(
    deflated,
    createInflate(),
    async (pieces: AsyncIterable<Uint8Array>) => {
      history = await readHistory(pieces);
    },
    { signal },
  );
  if (history === null) throw new Error('nothing was read');
  return history;
}
