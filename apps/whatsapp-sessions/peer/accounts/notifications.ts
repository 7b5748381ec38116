import { randomBytes } from 'node:crypto';
import { type BinaryNode, S_WHATSAPP_NET } from '@whiskeysockets/baileys';
import type { Peer } from '../peer.ts';
import { jidOf, lidOf, node, nowSeconds } from '../server/stanzas.ts';

/** A notification from WhatsApp to the devices of an account, by its phone. `of` is another number. */
export type NotificationOrder = { readonly account: string } & (
  | {
      readonly kind: 'devices';
      readonly of: string;
      /** `update` names no device, only a hash of all devices. */
      readonly change: 'add' | 'remove' | 'update';
      readonly device?: number;
      readonly by: 'number' | 'lid';
    }
  /** The account's own devices have changed. */
  | { readonly kind: 'own-devices' }
  /** The number of one-time prekeys that the client has left. */
  | { readonly kind: 'prekeys-low'; readonly count: number }
  /** WhatsApp was installed again for the number. */
  | { readonly kind: 'identity'; readonly of: string }
  /** A contact gives the account a privacy token, in base64; `at` is in seconds of the epoch. */
  | { readonly kind: 'privacy-token'; readonly of: string; readonly token: string; readonly at: number }
);

/** Sends the notification to the connected devices of the account. */
export function notify(peer: Peer, order: NotificationOrder): void {
  for (const { connection } of peer.linked.of(order.account)) connection?.send(stanzaOf(order));
}

function stanzaOf(order: NotificationOrder): BinaryNode {
  switch (order.kind) {
    case 'devices':
      return devicesChanged(order);
    case 'own-devices': {
      const devices = node('devices', { dhash: '2:own' }, [node('device', { jid: own(order.account) })]);
      return notification('account_sync', own(order.account), {}, [devices]);
    }
    case 'prekeys-low':
      return notification('encrypt', S_WHATSAPP_NET, {}, [node('count', { value: String(order.count) })]);
    case 'identity':
      return notification('encrypt', own(order.of), {}, [node('identity')]);
    case 'privacy-token': {
      const attrs = { jid: own(order.account), t: String(order.at), type: 'trusted_contact' };
      const token = node('token', attrs, Buffer.from(order.token, 'base64'));
      const from = { sender_lid: lidOf({ phone: order.of, device: 0 }) };
      return notification('privacy_token', own(order.of), from, [node('tokens', {}, [token])]);
    }
  }
}

function devicesChanged({
  of: phone,
  change,
  device,
  by,
}: Extract<NotificationOrder, { kind: 'devices' }>): BinaryNode {
  const jid = by === 'lid' ? lidOf : jidOf;
  const named = device === undefined ? [] : [node('device', { jid: jid({ phone, device }) })];
  const hash = { device_hash: '2:changed' };
  const part = change === 'update' ? node('update', { hash: 'abcd' }) : node(change, hash, named);
  return notification('devices', jid({ phone, device: 0 }), {}, [part]);
}

function notification(
  type: string,
  from: string,
  attrs: Readonly<Record<string, string>>,
  content: BinaryNode[],
): BinaryNode {
  const id = randomBytes(6).toString('hex');
  return node('notification', { id, type, from, t: nowSeconds(), ...attrs }, content);
}

function own(phone: string): string {
  return jidOf({ phone, device: 0 });
}
