import { networkTrouble } from './network-trouble.ts';

const yours = /^Check the address in the settings\. If it is right, tell your operator\.$/;
const servers = /^This is the network of the server, not your settings: tell your operator\.$/;

test.each([
  [
    'No response (dns): getaddrinfo ENOTFOUND api.twilio.com',
    'twilio',
    /reach api\.twilio\.com \(name not found\)/,
    servers,
  ],
  [
    'Not verified: No response (dns): getaddrinfo EAI_AGAIN gw.example',
    'http-sms',
    /reach gw\.example/,
    yours,
  ],
  ['No response (dns): gw.example has no address', 'http-sms', /reach gw\.example/, yours],
  [
    'No response (refused): connect ECONNREFUSED',
    'vonage',
    /could not reach the provider \(no connection\)/,
    servers,
  ],
  ['No response (tls): the certificate is for another name', 'twilio', /securely \(TLS\)/, servers],
  ['No response (proxy): 502', 'twilio', /proxy failed/, servers],
  [
    'The address is not allowed: api.twilio.com is not a public address',
    'twilio',
    /does not allow requests/,
    servers,
  ],
  ['The address is not allowed: 10.0.0.1 is not a public address', 'http-sms', /does not allow/, yours],
  [
    'No response (timeout): no connection in time',
    'twilio',
    /no response from the provider in time/,
    /usually passes/,
  ],
  ['Not verified: The provider did not respond within 5 seconds.', 'twilio', /in time/, /usually passes/],
  ['The provider did not list the templates within 30 seconds.', 'twilio', /in time/, /usually passes/],
  ['No response (reset): read ECONNRESET', 'twilio', /broke off/, /usually passes/],
  ['No response (news): x', 'twilio', /in time/, /usually passes/],
  ['No response.', 'twilio', /in time/, /usually passes/],
])('%s', (detail, provider, what, cure) => {
  expect(networkTrouble(detail, provider)).toEqual({
    what: expect.stringMatching(what),
    cure: expect.stringMatching(cure),
  });
});

test.each([
  null,
  'Authenticate (20003)',
  'HTTP 503: No response from the switch',
  'Not verified: Unknown token.',
])('what the provider said is no trouble of the network: %s', (detail) =>
  expect(networkTrouble(detail, 'twilio')).toBeNull(),
);
