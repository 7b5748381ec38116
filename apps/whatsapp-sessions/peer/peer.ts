import type { BinaryNode } from '@whiskeysockets/baileys';
import { Behaviours } from './accounts/behaviours.ts';
import { Numbers } from './accounts/numbers.ts';
import { Recorder } from './log.ts';
import type { MediaHost } from './messages/media-host.ts';
import { CertificateAuthority } from './server/certificates.ts';
import type { Connection } from './server/connection.ts';
import { LinkedDevices } from './server/linked-devices.ts';

/** A client that shows a QR code or a pairing code, and waits for a phone. */
export interface PairingOffer {
  readonly connection: Connection;
  readonly noiseKey: Buffer;
}

/** A client that asks to be linked by a code entered on a phone. */
export interface CodeRequest extends PairingOffer {
  readonly hello: BinaryNode;
  readonly reference: Buffer;
  /** The client's last message of the exchange. */
  readonly finish: Promise<BinaryNode>;
  readonly finished: (part: BinaryNode) => void;
}

/** The whole state of this WhatsApp. */
export interface Peer {
  readonly authority: CertificateAuthority;
  readonly behaviours: Behaviours;
  readonly linked: LinkedDevices;
  readonly numbers: Numbers;
  readonly media: MediaHost;
  readonly recorder: Recorder;
  /** By the reference in the QR code. */
  readonly offers: Map<string, PairingOffer>;
  /** By phone. */
  readonly codeRequests: Map<string, CodeRequest>;
  /** Whether the next connections get a certificate signed by another key than the root. */
  certificateForged: boolean;
}

/** A WhatsApp without accounts. */
export function makePeer(media: MediaHost): Peer {
  return {
    authority: new CertificateAuthority(),
    behaviours: new Behaviours(),
    linked: new LinkedDevices(),
    numbers: new Numbers(),
    media,
    recorder: new Recorder(),
    offers: new Map(),
    codeRequests: new Map(),
    certificateForged: false,
  };
}
