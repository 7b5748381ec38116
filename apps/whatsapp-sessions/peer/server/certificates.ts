import { Curve, type KeyPair, proto } from '@whiskeysockets/baileys';

/** The server's static Noise keys, with the certificate chain for them. */
export interface ServerCertificate {
  readonly keys: KeyPair;
  readonly chain: Uint8Array;
}

/**
 * WhatsApp's certificate authority: root → intermediate → leaf, each signed by the one before, as a client checks it.
 * Clients under test must be told to trust `rootPublicKey` (Baileys: `WA_CERT_DETAILS.PUBLIC_KEY`).
 */
export class CertificateAuthority {
  private readonly root = Curve.generateKeyPair();
  private readonly intermediate = Curve.generateKeyPair();
  private readonly server = Curve.generateKeyPair();

  /** The server's certificate. */
  readonly certificate = this.issue(this.root);
  /** A certificate signed by another key than the root. */
  readonly forgedCertificate = this.issue(Curve.generateKeyPair());

  get rootPublicKey(): Buffer {
    return Buffer.from(this.root.public);
  }

  private issue(issuer: KeyPair): ServerCertificate {
    const chain = proto.CertChain.encode({
      intermediate: signed(certificate(1, 0, this.intermediate), issuer),
      leaf: signed(certificate(2, 1, this.server), this.intermediate),
    }).finish();
    return { keys: this.server, chain };
  }
}

function certificate(serial: number, issuerSerial: number, subject: KeyPair): Uint8Array {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  return proto.CertChain.NoiseCertificate.Details.encode({
    serial,
    issuerSerial,
    key: subject.public,
    notBefore: nowSeconds - 60,
    notAfter: nowSeconds + 86_400,
  }).finish();
}

function signed(details: Uint8Array, issuer: KeyPair): proto.CertChain.INoiseCertificate {
  return { details, signature: Curve.sign(issuer.private, details) };
}
