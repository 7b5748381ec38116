import { createHash } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild } from '@whiskeysockets/baileys';
import type { LoginRefusal } from '../accounts/behaviours.ts';
import { endSession } from '../accounts/closing.ts';
import { now } from '../log.ts';
import { repeatWritten, takeAnswer, takeChatState } from '../messages/written.ts';
import { takeMessage } from '../messages/messages.ts';
import { sendMissed, takeReceiptAck } from '../messages/receipts.ts';
import type { Peer } from '../peer.ts';
import type { Connection } from './connection.ts';
import type { LinkedDevice } from './linked-devices.ts';
import type { ClientIntroduction } from './noise.ts';
import { offerPairing, withdrawOffers } from './pairing.ts';
import { takeCodeStanza } from './pairing-code.ts';
import { nameOf, takeQuery } from './queries.ts';
import { jidOf, lidOf, node, nowSeconds, result } from './stanzas.ts';

/** A client has ended its handshake. An unlinked client gets a pairing offer, any other logs in. */
export function introduce(peer: Peer, connection: Connection, client: ClientIntroduction): void {
  connection.entry.noiseKey = createHash('sha256').update(client.noiseKey).digest('hex').slice(0, 16);
  peer.recorder.touch();
  if (client.payload.devicePairingData) offerPairing(peer, connection, client.noiseKey);
  else logIn(peer, connection, client);
}

/** Handles a stanza of a client. */
export async function takeStanza(peer: Peer, connection: Connection, stanza: BinaryNode): Promise<void> {
  const { device } = connection;
  if (device === null) return takePairingStanza(peer, connection, stanza);
  if (stanza.tag === 'iq') return takeQuery(peer, connection, device, stanza);
  if (stanza.tag === 'message') return takeMessage(peer, connection, device, stanza);
  if (stanza.tag === 'receipt') return takeAnswer(peer, device, stanza);
  if (stanza.tag === 'chatstate') return takeChatState(peer, device, stanza);
  if (stanza.tag !== 'ack') return;
  if (stanza.attrs['class'] === 'message') return takeAnswer(peer, device, stanza);
  if (stanza.attrs['class'] === 'receipt') takeReceiptAck(peer, device, stanza);
}

/** Removes a connection that has ended. */
export function leave(peer: Peer, connection: Connection): void {
  connection.entry.closedAt = now();
  withdrawOffers(peer, connection);
  if (connection.device?.connection === connection) connection.device.connection = null;
  peer.recorder.touch();
}

/** Pings are also answered before a phone is linked. Otherwise clients would give up before their codes expire. */
function takePairingStanza(peer: Peer, connection: Connection, stanza: BinaryNode): void {
  if (stanza.attrs['xmlns'] === 'w:p') return connection.send(result(stanza));
  if (getBinaryNodeChild(stanza, 'link_code_companion_reg') === undefined) return;
  if (connection.noiseKey === null) throw new Error('a stanza before the handshake');
  try {
    takeCodeStanza(peer, connection, stanza, connection.noiseKey);
  } catch (error) {
    peer.recorder.reject(`connection ${connection.entry.id}`, nameOf(stanza), error);
  }
}

function logIn(peer: Peer, connection: Connection, { payload, noiseKey }: ClientIntroduction): void {
  const address = { phone: String(payload.username), device: payload.device ?? 0 };
  const device = peer.linked.find(address);
  const refusal = refusalOf(peer, device, noiseKey);
  if (device === null || refusal !== null) {
    const { reason, code, expire } = refusal ?? { reason: 401 };
    peer.recorder.reject(jidOf(address), 'login', reason);
    const more = { code: code?.toString(), expire: expire?.toString(), location: 'peer' };
    return connection.end(`failure ${reason}`, node('failure', { reason: String(reason), ...more }));
  }
  replace(device, connection);
  Object.assign(connection.entry, { jid: device.jid, loggedInAt: now() });
  connection.send(node('success', { t: nowSeconds(), location: 'peer', lid: lidOf(device) }));
  const missed = sendMissed(device) + repeatWritten(peer, device);
  connection.send(node('ib', {}, [node('offline', { count: String(missed) })]));
  connection.send(edgeRouting(device));
  peer.recorder.touch();
}

/** The routing information for the device's next connection. */
function edgeRouting({ phone, device }: LinkedDevice): BinaryNode {
  const routing = node('routing_info', {}, Buffer.from(`${phone}:${device}`));
  return node('ib', {}, [node('edge_routing', {}, [routing])]);
}

function refusalOf(peer: Peer, device: LinkedDevice | null, noiseKey: Buffer): LoginRefusal | null {
  if (device === null || device.loggedOut || !noiseKey.equals(device.noiseKey)) return { reason: 401 };
  const said = peer.behaviours.of('refuseLogin', { account: device.phone });
  return typeof said === 'number' ? { reason: said } : said;
}

/** A session is open only once: the earlier connection gets a conflict and is closed. */
function replace(device: LinkedDevice, connection: Connection): void {
  if (device.connection !== null) device.connection.entry.replacedBy = connection.entry.id;
  endSession(device, 'conflict');
  device.connection = connection;
  Object.assign(connection, { device });
}
