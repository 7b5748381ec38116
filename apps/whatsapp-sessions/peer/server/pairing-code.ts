import { randomBytes } from 'node:crypto';
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  getBinaryNodeChild,
  hkdf,
  S_WHATSAPP_NET,
} from '@whiskeysockets/baileys';
import type { CodeRequest, Peer } from '../peer.ts';
import type { Connection } from './connection.ts';
import type { LinkedDevice } from './linked-devices.ts';
import { pair } from './pairing.ts';
import { addressOf, bytesOf, node, result } from './stanzas.ts';

type KeyPair = ReturnType<typeof Curve.generateKeyPair>;

/*
 * Linking by a code entered on the phone. Client and phone each send an ephemeral key wrapped with the code. The shared
 * secret protects the identities. A phone with a wrong code derives another secret and reads nothing.
 */

/** Handles the client's first or last message of the exchange. Throws for any other stanza. */
export function takeCodeStanza(
  peer: Peer,
  connection: Connection,
  query: BinaryNode,
  noiseKey: Buffer,
): void {
  const part = getBinaryNodeChild(query, 'link_code_companion_reg');
  const { phone } = addressOf(part?.attrs['jid'] ?? '');
  if (part?.attrs['stage'] === 'companion_finish') {
    connection.send(result(query));
    peer.codeRequests.get(phone)?.finished(part);
    return;
  }
  if (part?.attrs['stage'] !== 'companion_hello') throw new Error('no stage of linking by code');
  const { promise, resolve } = Promise.withResolvers<BinaryNode>();
  const reference = randomBytes(16);
  const request = { connection, noiseKey, hello: part, reference, finish: promise, finished: resolve };
  peer.codeRequests.set(phone, request);
  const answer = node('link_code_companion_reg', {}, [node('link_code_pairing_ref', {}, reference)]);
  connection.send(result(query, [answer]));
  peer.recorder.touch();
}

/**
 * A phone's owner enters the code that the client shows. Resolves with the linked device. Throws if no client waits for
 * this phone, if the client leaves, or if the code is wrong.
 */
export async function enterCode(peer: Peer, phone: string, code: string): Promise<LinkedDevice> {
  const request = peer.codeRequests.get(phone);
  if (request === undefined) throw new Error('no client waits for a code of this phone');
  const [primary, ephemeral] = [Curve.generateKeyPair(), Curve.generateKeyPair()];
  const theirs = await unwrap(request, code);
  request.connection.send(await phoneHello(request, code, primary, ephemeral));
  const finish = await request.connection.orLeft(request.finish);
  const shared = Curve.sharedKey(ephemeral.private, theirs);
  try {
    const companion = openBundle(finish, shared, primary);
    return await pair(peer, request, companion, phone, primary);
  } catch (error) {
    peer.recorder.reject(phone, 'pairing code', error);
    throw error;
  }
}

/** The client's ephemeral key: salt (32 bytes), counter (16), ciphertext. */
async function unwrap({ hello }: CodeRequest, code: string): Promise<Buffer> {
  const wrapped = bytesOf(getBinaryNodeChild(hello, 'link_code_pairing_wrapped_companion_ephemeral_pub'));
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32));
  return aesDecryptCTR(wrapped.subarray(48, 80), key, wrapped.subarray(32, 48));
}

async function phoneHello(
  { reference }: CodeRequest,
  code: string,
  primary: KeyPair,
  ephemeral: KeyPair,
): Promise<BinaryNode> {
  const [salt, counter] = [randomBytes(32), randomBytes(16)];
  const ciphertext = aesEncryptCTR(ephemeral.public, await derivePairingCodeKey(code, salt), counter);
  const wrapped = Buffer.concat([salt, counter, ciphertext]);
  const attrs = { from: S_WHATSAPP_NET, type: 'link_code_companion_reg', id: randomBytes(6).toString('hex') };
  return node('notification', attrs, [
    node('link_code_companion_reg', { stage: 'primary_hello' }, [
      node('link_code_pairing_ref', {}, reference),
      node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
      node('primary_identity_pub', {}, Buffer.from(primary.public)),
    ]),
  ]);
}

/** The client's bundle: salt (32 bytes), nonce (12), sealed identities of both and a random secret (32 bytes each). */
function openBundle(
  finish: BinaryNode,
  shared: Buffer,
  primary: KeyPair,
): { identityKey: Buffer; advSecret: Buffer } {
  const wrapped = bytesOf(getBinaryNodeChild(finish, 'link_code_pairing_wrapped_key_bundle'));
  const info = 'link_code_pairing_key_bundle_encryption_key';
  const key = Buffer.from(hkdf(shared, 32, { salt: wrapped.subarray(0, 32), info }));
  const bundle = aesDecryptGCM(wrapped.subarray(44), key, wrapped.subarray(32, 44), Buffer.alloc(0));
  const identityKey = bundle.subarray(0, 32);
  if (!bundle.subarray(32, 64).equals(primary.public)) throw new Error('the client means another phone');
  const secrets = [shared, Curve.sharedKey(primary.private, identityKey), bundle.subarray(64)];
  return { identityKey, advSecret: Buffer.from(hkdf(Buffer.concat(secrets), 32, { info: 'adv_secret' })) };
}
