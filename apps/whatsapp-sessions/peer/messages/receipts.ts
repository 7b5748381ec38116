import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import type { LinkedDevice } from '../server/linked-devices.ts';
import { addressOf, node, nowSeconds } from '../server/stanzas.ts';

/** The receipts of a recipient's device: the message has arrived, or was read. */
export type ReceiptKind = 'delivered' | 'read';

/** A receipt to be sent by hand: `from` is the recipient's number, `id` the message. */
export interface ReceiptOrder {
  readonly account: string;
  readonly from: string;
  readonly id: string;
  readonly kind: ReceiptKind;
}

/** Schedules the recipient's receipts for a message, each at its configured time. */
export function scheduleReceipts(peer: Peer, device: LinkedDevice, to: string, id: string): void {
  const scope = { account: device.phone, number: addressOf(to).phone };
  const { deliveredAfterMs, readAfterMs } = peer.behaviours.of('receipts', scope);
  later(deliveredAfterMs, () => sendReceipt(device, to, id, 'delivered'));
  later(readAfterMs, () => sendReceipt(device, to, id, 'read'));
}

/** Sends a receipt from `to`, now or when the device reconnects. It is repeated until the device acknowledges it. */
export function sendReceipt(device: LinkedDevice, to: string, id: string, kind: ReceiptKind): void {
  const type = kind === 'read' ? 'read' : undefined;
  deliver(device, node('receipt', { from: to, id, type, t: nowSeconds() }));
}

/**
 * Reports that the recipient could not read the message, and asks for it the `count`th time. `keys` begin with the
 * registration, followed by a bundle to begin a session with.
 */
export function askAgain(
  device: LinkedDevice,
  to: string,
  id: string,
  keys: readonly BinaryNode[],
  count: number,
): void {
  const asked = node('retry', { count: String(count), id, t: nowSeconds(), v: '1' });
  const [registration, ...bundle] = keys;
  const parts = bundle.length === 0 ? [] : [node('keys', {}, bundle)];
  const content = [asked, ...(registration === undefined ? [] : [registration]), ...parts];
  deliver(device, node('receipt', { from: to, id, type: 'retry', t: nowSeconds() }, content));
}

/** The device has acknowledged a receipt. */
export function takeReceiptAck(peer: Peer, device: LinkedDevice, { attrs }: BinaryNode): void {
  device.unacknowledged.delete(keyOf(attrs));
  peer.recorder.touch();
}

/** Sends all receipts that the device has missed. Returns their number. */
export function sendMissed({ connection, unacknowledged }: LinkedDevice): number {
  for (const { tag, attrs, content } of unacknowledged.values()) {
    connection?.send(node(tag, { ...attrs, offline: '1' }, content));
  }
  return unacknowledged.size;
}

function deliver(device: LinkedDevice, receipt: BinaryNode): void {
  device.unacknowledged.set(keyOf(receipt.attrs), receipt);
  device.connection?.send(receipt);
}

function keyOf({ id = '', type = '' }: Readonly<Record<string, string>>): string {
  return `${id} ${type}`;
}

function later(afterMs: number | null, action: () => void): void {
  if (afterMs === 0) action();
  else if (afterMs !== null) setTimeout(action, afterMs).unref();
}
