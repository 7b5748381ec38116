import { createHmac, randomBytes } from 'node:crypto';
import {
  type BinaryNode,
  Curve,
  getBinaryNodeChild,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from '@whiskeysockets/baileys';
import { isSignedBy } from '../../src/connection/library.ts';
import { streamError } from '../accounts/closing.ts';
import type { PairingOffer, Peer } from '../peer.ts';
import type { Connection } from './connection.ts';
import type { LinkedDevice } from './linked-devices.ts';
import { bytesOf, lidOf, node, serverQuery } from './stanzas.ts';

/** The number of QR codes that a client may show before it must reconnect. */
const offeredReferences = 6;

/** The data that a client gives the phone, by QR code or with a pairing code. */
export interface Companion {
  readonly identityKey: Buffer;
  /** A secret that only the phone has seen. It proves to the client that the phone answers. */
  readonly advSecret: Buffer;
}

/** Gives an unlinked client the references for its QR codes. */
export function offerPairing(peer: Peer, connection: Connection, noiseKey: Buffer): void {
  const references = Array.from(
    { length: offeredReferences },
    () => `2@${randomBytes(32).toString('base64')}`,
  );
  for (const reference of references) peer.offers.set(reference, { connection, noiseKey });
  const parts = references.map((reference) => node('ref', {}, Buffer.from(reference)));
  connection.send(serverQuery('md', [node('pair-device', {}, parts)]));
}

/** Withdraws the offers on a connection that has ended. */
export function withdrawOffers(peer: Peer, connection: Connection): void {
  for (const offers of [peer.offers, peer.codeRequests]) {
    for (const [key, offer] of offers) if (offer.connection === connection) offers.delete(key);
  }
}

/**
 * A phone reads a QR code: `https://wa.me/settings/linked_devices#reference,noiseKey,identityKey,advSecret,platform`.
 * Resolves with the linked device once the client has signed. Throws if no client offers this reference any more.
 */
export async function scan(peer: Peer, qr: string, phone: string): Promise<LinkedDevice> {
  const [reference = '', , identityKey = '', advSecret = ''] = qr.slice(qr.indexOf('#') + 1).split(',');
  const offer = peer.offers.get(reference);
  if (offer === undefined) {
    peer.recorder.reject(phone, 'scan', 'no client offers this QR code');
    throw new Error('no client offers this QR code');
  }
  const companion = { identityKey: decode(identityKey), advSecret: decode(advSecret) };
  return pair(peer, offer, companion, phone, Curve.generateKeyPair());
}

/** The phone signs the client's identity with its own, `primary`. The client must then reconnect to log in. */
export async function pair(
  peer: Peer,
  { connection, noiseKey }: PairingOffer,
  { identityKey, advSecret }: Companion,
  phone: string,
  primary: ReturnType<typeof Curve.generateKeyPair>,
): Promise<LinkedDevice> {
  withdrawOffers(peer, connection);
  const device = peer.linked.link(phone, { identityKey, noiseKey });
  const details = proto.ADVDeviceIdentity.encode({
    rawId: randomBytes(4).readUInt32BE(),
    timestamp: Math.floor(Date.now() / 1_000),
    keyIndex: device.device,
  }).finish();
  const vouched = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identityKey]);
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: primary.public,
    accountSignature: Curve.sign(primary.private, vouched),
  }).finish();
  try {
    const answer = await connection.ask(pairSuccess(device, signed, advSecret));
    verifyAnswer(answer, identityKey, Buffer.concat([details, identityKey, primary.public]));
  } catch (error) {
    device.loggedOut = true;
    peer.recorder.reject(device.jid, 'pairing', error);
    throw error;
  }
  connection.end('515', streamError(515));
  return device;
}

/** Checks that the client has countersigned with its own identity; throws otherwise. */
function verifyAnswer(answer: BinaryNode, identityKey: Buffer, signed: Buffer): void {
  const part = getBinaryNodeChild(getBinaryNodeChild(answer, 'pair-device-sign'), 'device-identity');
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(bytesOf(part));
  const message = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, signed]);
  if (!isSignedBy(identityKey, message, deviceSignature ?? Buffer.alloc(0)))
    throw new Error('the device signature is wrong');
}

function pairSuccess(device: LinkedDevice, details: Uint8Array, advSecret: Buffer): BinaryNode {
  const hmac = createHmac('sha256', advSecret).update(details).digest();
  const identity = proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac }).finish();
  return serverQuery('md', [
    node('pair-success', {}, [
      node('device-identity', {}, identity),
      node('platform', { name: 'android' }),
      node('device', { jid: device.jid, lid: lidOf(device) }),
    ]),
  ]);
}

function decode(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
