import { createHash } from 'node:crypto';
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
} from '@whiskeysockets/baileys';
import type { ServerCertificate } from './certificates.ts';

/** The client's data in the last message of the handshake. */
export interface ClientIntroduction {
  /** The client's permanent public Noise key. Its owner owns the session. */
  readonly noiseKey: Buffer;
  readonly payload: proto.ClientPayload;
}

/**
 * The server's side of Noise_XX_25519_AESGCM_SHA256 with WhatsApp's prologue, and of the encryption after it. Throws
 * when a message cannot be decrypted.
 */
export class NoiseResponder {
  private readonly ephemeral = Curve.generateKeyPair();
  private hash: Buffer = Buffer.from(NOISE_MODE);
  private salt = this.hash;
  private key = this.hash;
  private counter = 0;
  private transport = { sealKey: this.hash, openKey: this.hash, sealed: 0, opened: 0 };

  constructor() {
    this.mixHash(NOISE_WA_HEADER);
  }

  /** Answers the first message with our keys and the certificate that binds them to WhatsApp's root. */
  answerHello(message: Uint8Array, certificate: ServerCertificate): Uint8Array {
    const theirs = required(proto.HandshakeMessage.decode(message).clientHello?.ephemeral);
    this.mixHash(theirs);
    this.mixHash(this.ephemeral.public);
    this.mixKey(Curve.sharedKey(this.ephemeral.private, theirs));
    const staticKey = this.encrypt(certificate.keys.public);
    this.mixKey(Curve.sharedKey(certificate.keys.private, theirs));
    const payload = this.encrypt(certificate.chain);
    const serverHello = { ephemeral: this.ephemeral.public, static: staticKey, payload };
    return proto.HandshakeMessage.encode({ serverHello }).finish();
  }

  /** Reads the last message. Use `seal` and `open` after it. */
  finish(message: Uint8Array): ClientIntroduction {
    const { clientFinish } = proto.HandshakeMessage.decode(message);
    const noiseKey = this.decrypt(required(clientFinish?.static));
    this.mixKey(Curve.sharedKey(this.ephemeral.private, noiseKey));
    const payload = proto.ClientPayload.decode(this.decrypt(required(clientFinish?.payload)));
    const [openKey, sealKey] = this.expand(Buffer.alloc(0));
    this.transport = { sealKey, openKey, sealed: 0, opened: 0 };
    return { noiseKey, payload };
  }

  seal(plain: Uint8Array): Buffer {
    return aesEncryptGCM(plain, this.transport.sealKey, nonce(this.transport.sealed++), nothing);
  }

  open(sealed: Uint8Array): Buffer {
    return aesDecryptGCM(sealed, this.transport.openKey, nonce(this.transport.opened++), nothing);
  }

  private mixHash(data: Uint8Array): void {
    this.hash = createHash('sha256').update(this.hash).update(data).digest();
  }

  private mixKey(secret: Uint8Array): void {
    [this.salt, this.key] = this.expand(secret);
    this.counter = 0;
  }

  private expand(secret: Uint8Array): [Buffer, Buffer] {
    const both = Buffer.from(hkdf(Buffer.from(secret), 64, { salt: this.salt, info: '' }));
    return [both.subarray(0, 32), both.subarray(32)];
  }

  private encrypt(plain: Uint8Array): Buffer {
    const sealed = aesEncryptGCM(plain, this.key, nonce(this.counter++), this.hash);
    this.mixHash(sealed);
    return sealed;
  }

  private decrypt(sealed: Uint8Array): Buffer {
    const plain = aesDecryptGCM(sealed, this.key, nonce(this.counter++), this.hash);
    this.mixHash(sealed);
    return plain;
  }
}

const nothing = Buffer.alloc(0);

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}

function required(field: Uint8Array | null | undefined): Uint8Array {
  if (field === null || field === undefined) throw new Error('the handshake lacks a field');
  return field;
}
