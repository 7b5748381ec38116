import { generateKeyPairSync } from 'node:crypto';

/** Settings that make a working account of each provider, as far as a stand-in at `outside` goes. */
export function goodSettings(outside: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return {
    sandbox: { channel: 'sms' },
    'telegram-bot': { botToken: `123456:${'Ab1-_'.repeat(7)}` },
    twilio: { accountSid: `AC${'0a'.repeat(16)}`, authToken: twilioToken, from: '+15005550006' },
    vonage: {
      applicationId: '01912d68-783e-7a64-b6c9-2f3a4b5c6d7e',
      privateKey,
      signatureSecret: vonageSecret,
      from: 'Notify',
    },
    'whatsapp-cloud': {
      phoneNumberId: '106540352242922',
      businessAccountId: '102290129340398',
      accessToken: 'EAAfuzzfuzzfuzzfuzz',
      appSecret: metaSecret,
    },
    'http-sms': {
      url: `${outside}/send`,
      from: 'Notify',
      body: {
        type: 'form',
        fields: { id: '{{id}}', to: '{{to}}', text: '{{text}}', dlr_url: '{{dlr_url}}' },
      },
      verifyUrl: `${outside}/verify`,
      externalId: { pointer: '/id' },
      reports: {
        status: 'status',
        values: { delivered: 'delivered', failed: 'failed', sent: 'sent' },
        text: 'why',
        externalId: '/id',
      },
    },
  };
}

/** What the providers sign their callbacks with. */
export const twilioToken = 'fuzz-twilio-token-0a1b2c3d4e5f';
export const vonageSecret = 'fuzz-vonage-secret-0a1b2c3d4e5f';
export const metaSecret = 'fuzz-meta-secret-0a1b2c3d4e5f6a7b';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
