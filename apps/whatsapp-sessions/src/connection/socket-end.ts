import { type BinaryNode, getBinaryNodeChild, type WASocket } from '@whiskeysockets/baileys';
import type { CloseCode } from './close-codes.ts';

/** Closes the connection at once. Baileys does not expose its WebSocket. */
export function terminate(sock: Pick<WASocket, 'ws'>): void {
  const client = sock.ws as unknown as { socket: { terminate(): void } | null };
  client.socket?.terminate();
}

/** Whether a stanza says that the phone has removed the device. */
export function removesDevice(stanza: BinaryNode): boolean {
  return (
    stanza.tag === 'stream:error' &&
    getBinaryNodeChild(stanza, 'conflict')?.attrs['type'] === 'device_removed'
  );
}

/** The code with which Baileys says that a connection ended. */
export function codeOf(error: unknown): CloseCode {
  const code = (error as { output?: { statusCode?: unknown } } | undefined)?.output?.statusCode;
  return typeof code === 'number' ? code : 428;
}
