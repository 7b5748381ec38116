import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

const day = 86_400_000;

/**
 * A new key and its self-signed certificate for `subject`, `DNS:<name>` or `IP:<IPv4 address>`, which is valid from
 * yesterday for two days. Node cannot make one, so this writes the DER of RFC 5280.
 */
export function makeCertificate(subject = 'DNS:a.example'): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    element(0x31, sequence(objectIds.commonName, element(0x0c, Buffer.from('a.example')))),
  );
  const signatureAlgorithm = sequence(objectIds.ecdsaWithSha256);
  const content = sequence(
    element(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    signatureAlgorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(authority(), alternativeName(subject))),
  );
  const signature = sign('sha256', content, privateKey);
  const cert = sequence(content, signatureAlgorithm, element(0x03, Buffer.from([0]), signature));
  const lines = cert.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element of DER (X.690, 8.1): tag, length and content. */
function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => element(0x02, bytes);
const objectId = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));

const objectIds = {
  commonName: objectId('550403'),
  subjectAltName: objectId('551d11'),
  basicConstraints: objectId('551d13'),
  ecdsaWithSha256: objectId('2a8648ce3d040302'),
};

/** UTCTime, such as `261127120000Z`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`));
}

/** Those who trust the certificate trust it as their authority. */
function authority(): Buffer {
  const isTrue = element(0x01, Buffer.from([0xff]));
  return sequence(objectIds.basicConstraints, isTrue, element(0x04, sequence(isTrue)));
}

function alternativeName(subject: string): Buffer {
  const value = subject.slice(subject.indexOf(':') + 1);
  const name = isIPv4(value)
    ? element(0x87, Buffer.from(value.split('.').map(Number)))
    : element(0x82, Buffer.from(value));
  return sequence(objectIds.subjectAltName, element(0x04, sequence(name)));
}
