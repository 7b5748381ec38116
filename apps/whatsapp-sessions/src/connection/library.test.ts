import { Curve } from '@whiskeysockets/baileys';
import { isSignedBy } from './library.ts';

test('a signature is valid only for its key and its message', () => {
  const [key, other] = [Curve.generateKeyPair(), Curve.generateKeyPair()];
  const message = Buffer.from('certificate');
  const signature = Curve.sign(key.private, message);
  expect(isSignedBy(key.public, message, signature)).toBe(true);
  expect(isSignedBy(other.public, message, signature)).toBe(false);
  expect(isSignedBy(key.public, Buffer.from('another'), signature)).toBe(false);
  expect(isSignedBy(key.public, message, Buffer.alloc(64))).toBe(false);
  expect(isSignedBy(key.public, message, Buffer.alloc(3))).toBe(false);
});
