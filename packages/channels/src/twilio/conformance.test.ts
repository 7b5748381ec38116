import { conformance, type Subject } from '../conformance.ts';
import type { TwilioSettings } from './settings.ts';
import { twilio } from './twilio.ts';

const accountSid = `AC${'0a'.repeat(16)}`;
const authToken = 'tök/n"9% &';
const apiKeySecret = 'kéy+"s=cret%';
const sid = `SM${'5c'.repeat(16)}`;
const taken = { status: 201, body: JSON.stringify({ sid, status: 'queued', num_segments: '1' }) };

function subject(settings: Partial<TwilioSettings>, secrets: readonly string[]): Subject {
  return {
    adapter: twilio,
    settings: (): TwilioSettings => ({ accountSid, from: '+15005550006', ...settings }),
    secrets: [
      ...secrets,
      ...secrets.map((secret) => Buffer.from(`${accountSid}:${secret}`).toString('base64')),
    ],
    http: { taken, externalId: sid },
  };
}

const apiKey = { apiKeySid: `SK${'1b'.repeat(16)}`, apiKeySecret };

describe.each([
  ['with the auth token', subject({ authToken }, [authToken])],
  ['with an API key', subject(apiKey, [apiKeySecret])],
  ['with both', subject({ ...apiKey, authToken }, [authToken, apiKeySecret])],
])('%s', (_, account) => {
  test.each(conformance(account))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
