import { generateKeyPairSync } from 'node:crypto';
import { conformance, type Subject } from '../conformance.ts';
import type { VonageSettings } from './settings.ts';
import { vonage } from './vonage.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const signatureSecret = 'sïgn/"a9%';
const uuid = 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab';

const subject: Subject = {
  adapter: vonage,
  settings: (): VonageSettings => ({
    applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
    privateKey,
    signatureSecret,
    from: 'Notify',
  }),
  // A line from the middle of the key, and the header that every token of an application begins with.
  secrets: [signatureSecret, privateKey.split('\n')[3] ?? '', 'eyJhbGciOiJSUzI1NiIs'],
  http: { taken: { status: 202, body: JSON.stringify({ message_uuid: uuid }) }, externalId: uuid },
};

test.each(conformance(subject))('$name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
