/** The introduction of the document, in Markdown. Its headings are the first entries of the API reference. */
export const introduction = `Sends messages over WhatsApp, Telegram and SMS, and posts their status changes to webhooks.

A send is answered with 202 as soon as the message is stored. Workers then hand it to the provider. Every status change is
posted to your webhooks, and \`GET /v1/notify/messages/{id}\` shows the message at any time.

The [guides](/docs/guides) show how to begin, with samples in several languages. This reference has every operation.

# Authentication

Each operation says which credential it needs.

- **API keys** send: \`/v1/notify/*\`. Send the key in the header \`X-Api-Key\`. It starts with \`svc_live_\`. Create it with
  \`POST /tenant/api-keys\` or in the [dashboard](/). Only \`POST /v1/notify/{channel}/alertmanager\` also takes it in \`Authorization\`.
- **Service tokens** do everything else, and can send by \`POST /v1/messages\`. They work on \`/v1/*\` except \`/v1/notify/*\`, and on
  \`/tenant/*\` except \`/tenant/service-tokens\`, but not on \`/auth/*\`. Send the token in the header \`Authorization: Bearer …\`. It starts with \`svc_tok_\`. Create it
  with \`POST /tenant/service-tokens\` or in the dashboard.
- **Access tokens** are for people: the dashboard uses them. Registering and logging in return one. Send it in the header
  \`Authorization: Bearer …\`. It lasts 15 minutes; \`POST /auth/refresh\` returns the next one.

Keys and tokens are shown once, and work until you revoke them or until their \`expiresAt\`.

## Scopes

A key or a service token can do what its scopes allow. Each operation names the scope that it needs; without it, the response is
403 \`forbidden\`. A key has the scopes \`send\` and \`read\` unless you name others. An access token needs no scope.

# Try it

Enter a credential under _Authentication_ on this page, then press _Test Request_ in any operation. The page keeps the
credential in memory only.

A new tenant has a sandbox account on every channel, unless the operator has turned the sandbox off. Messages to it take the
whole way and reach nobody, so try sends with the key of a new tenant: for example \`POST /v1/notify/sms/text\` to
\`+15550001000\`.

# Errors

Error responses are \`application/problem+json\` (RFC 9457). Distinguish them by their \`code\`: see
[all error codes](/problems). \`requestId\` names the request in the log of the service; the header \`X-Request-Id\` has it
in every response.

Repeat a 429 or a 503 after the seconds in \`Retry-After\`. A 429 \`limit-reached\` has no such header: wait longer after each try. Responses to a key have its limit in \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\`.

A path that exists answers another method with 405 \`method-not-allowed\` and lists its methods in \`Allow\`. OPTIONS is answered with
\`Allow\` alone, and HEAD as GET without the body. There are no CORS headers, so browsers cannot call the service from other origins.

# Idempotency

Give each send an \`idempotencyKey\`, a text of your choice, and repeat the same request until it is answered. The repeated
request returns the first response, and the message is sent once. The header \`Idempotency-Key\` of a single send means the
same. The same key with another request gets 409
\`idempotency-key-reused\`. Keys are kept for 7 days, unless the operator has set another time.

# Pages

A long list comes in pages: \`{"data": […], "nextCursor": "…"}\`. Send \`nextCursor\` as \`cursor\` to get the next page, with
the same filters. It is null on the last page. \`limit\` sets the size of a page. The list of events has no last page, because
events follow: \`hasMore\` says whether there are more now.

# Inbound messages

What a person writes to one of your accounts becomes a message with \`direction\` \`inbound\`. Webhooks that name the event
\`message.received\` get it within moments; \`GET /v1/events\` lists it for receivers that cannot be called. The message has
the sender in \`from\`: use it as \`to\` of your answer, and \`replyTo\` to quote the message.

Notify stores no files. \`GET /v1/notify/messages/{id}/media\` reads a file from the provider while you download it, so save
it within days. It comes from a stranger, so the response asks browsers to save it and never to run it.

On telegram, your bot can write only to people who have opened a chat with it. A pairing link
(\`POST /v1/channel-accounts/{id}/pairings\`) brings a person there and tells you which chat is theirs. On WhatsApp, free text is
possible for 24 hours after a person's last message, until \`windowExpiresAt\` of the conversation. After that, send a template.

To try it, have the sandbox receive a message: \`POST /v1/channel-accounts/{id}/simulate-inbound\`.

# Events

Notify posts every status change of a message to your webhooks, signed with the secret of the webhook. See the operations
under _Events_ for the bodies and headers. Respond with any 2xx within 10 seconds. After any other response, Notify posts the event again.

Notify tries each event for about 28 hours. While a webhook is failing, it tries only one event at a time, and the others wait, each for
up to 3 days after it happened. After 5 days of failing, Notify disables the webhook. An event can arrive twice, and later than a newer
one.

A program that Notify cannot call reads the same events with \`GET /v1/events\` or \`GET /v1/events/stream\`.
`;

/** What the operations of each tag are for, in the order in which the reference shows them. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Sending: told('Sending with an API key, and looking messages up.', {
    'first-message': 'Your first message',
    templates: 'Templates',
    buttons: 'Buttons and lists',
    scheduling: 'Scheduling',
    fallback: 'Fallback',
    alerts: 'Alerts',
    'errors-and-retries': 'Errors and retries',
  }),
  Files: told('Files without a public address: uploaded first, then named by a send.', {
    files: 'Files',
  }),
  Verifications: told('One-time codes: sent to a person, and checked.', { verify: 'Verify a phone number' }),
  Messages: told('Listing, reading, sending, canceling and resending, with a service token or a session.', {
    scheduling: 'Scheduling',
    'errors-and-retries': 'Errors and retries',
  }),
  Webhooks: told('Where events are posted, whether that works, and what was posted.', {
    webhooks: 'Webhooks',
  }),
  Events: told('What Notify posts to your webhooks.', {
    webhooks: 'Webhooks',
    'reference/events': 'Events',
  }),
  'Event list': told('Events for programs that no webhook can reach: read page by page, or as a stream.', {
    'reference/events': 'Events',
  }),
  Conversations: told('What people wrote to your accounts, and your answers.', {
    inbound: 'Incoming messages',
  }),
  Consent: told('Which recipients want no messages from an account, and since when.', {
    'reference/consent': 'Consent',
  }),
  'Channel accounts': told(
    'What messages are sent from. Each has a channel, a provider and the settings for it.',
    {
      accounts: 'Real accounts',
    },
  ),
  'API keys': told('Keys with which your programs send.', { credentials: 'Credentials' }),
  'Service tokens': told(
    'Tokens with which your programs manage: CI, infrastructure as code, the command line.',
    { credentials: 'Credentials' },
  ),
  Tenant: 'Registering, sessions, and the profile of the tenant.',
};

/** A sentence, and the guides of its subject by the last part of their address. */
function told(sentence: string, guides: Readonly<Record<string, string>>): string {
  const links = Object.entries(guides).map(([name, title]) => `[${title}](/docs/guides/${name})`);
  return `${sentence}\n\n${links.length > 1 ? 'Guides' : 'Guide'}: ${links.join(', ')}.`;
}
