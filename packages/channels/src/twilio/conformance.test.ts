import vendor from 'twilio';
import {
  callbackRequest,
  conformance,
  type InboundSubject,
  type Subject,
} from '../../test/conformance/conformance.ts';
import type { TwilioSettings } from './settings.ts';
import { twilio } from './twilio.ts';

const accountSid = `AC${'0a'.repeat(16)}`;
const authToken = 'tök/n"9% &';
const apiKeySecret = 'kéy+"s=cret%';
const sid = `SM${'5c'.repeat(16)}`;
const page = {
  contents: [
    {
      sid: `HX${'4a'.repeat(16)}`,
      account_sid: accountSid,
      friendly_name: 'order',
      language: 'en',
      variables: { '1': 'Ada', '2': 'a.png' },
      types: {
        'twilio/card': {
          title: 'Hi {{1}}',
          subtitle: 'Bye',
          media: ['https://a.example/{{2}}'],
          actions: [{ type: 'URL', title: 'Open', url: 'https://a.example/{{3}}' }],
        },
        'twilio/text': { body: 'Hi {{1}}' },
      },
      approval_requests: { category: 'UTILITY', status: 'approved', rejection_reason: '' },
    },
    { sid: `HX${'4b'.repeat(16)}`, language: 'en', variables: {}, types: { 'twilio/text': { body: 'Hi' } } },
  ],
  meta: { page: 0, page_size: 100, next_page_url: null, key: 'contents' },
};
const endless = {
  ...page,
  meta: { next_page_url: 'https://elsewhere.example/v1/ContentAndApprovals?Page=1&PageToken=x' },
};
const taken = { status: 201, body: JSON.stringify({ sid, status: 'queued', num_segments: '1' }) };

function signed(fields: Readonly<Record<string, string>>) {
  const { publicUrl } = callbackRequest();
  const signature = vendor.getExpectedTwilioSignature(authToken, publicUrl!, fields);
  const body = Buffer.from(new URLSearchParams(fields).toString());
  return callbackRequest({ body, headers: { 'x-twilio-signature': signature } });
}

/** Twilio hands on only texts, files, buttons and locations, so no kind is unknown. */
const inbound: InboundSubject = {
  text: (id, text) => signed({ MessageSid: id, From: '+4915112345678', To: '+15005550006', Body: text }),
  unknown: null,
  file: {
    path: `/2010-04-01/Accounts/${accountSid}/Messages/MM${'1c'.repeat(16)}/Media/ME${'2d'.repeat(16)}`,
  },
};

function subject(settings: Partial<TwilioSettings>, secrets: readonly string[]): Subject {
  return {
    adapter: twilio,
    settings: (): TwilioSettings => ({ accountSid, from: '+15005550006', ...settings }),
    secrets: [
      ...secrets,
      ...secrets.map((secret) => Buffer.from(`${accountSid}:${secret}`).toString('base64')),
    ],
    http: { taken, externalId: sid },
    templates: { page, endless },
    ...(settings.authToken === undefined ? {} : { inbound }),
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
