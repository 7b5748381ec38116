import { channels, chatStates } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, Timestamp, uuid } from './fields.ts';

const name = Type.String({ minLength: 1, maxLength: 200 });
/** The settings of an account. The provider's own schema checks them; no provider has nearly as many. */
function settings(description: string): Type.TRecord<'^.*$', Type.TUnknown> {
  return Type.Record(Type.String(), Type.Unknown(), { description, maxProperties: 200 });
}

/** Body of `POST /v1/channel-accounts`. */
export const CreateChannelAccount = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 64, description: 'The ID of a provider.' }),
    name,
    settings: settings('See `GET /v1/providers` for the schema.'),
    isDefault: Type.Optional(
      Type.Boolean({
        description:
          'Makes the account the default of its channel, also if it could not be verified, but not if the provider refuses its settings. The first real account that works always becomes the default.',
      }),
    ),
    verify: Type.Optional(
      Type.Boolean({
        description:
          'Default true. false stores the settings without asking the provider whether they work: the account is `connecting` until its first success.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Body of `PATCH /v1/channel-accounts/:id`. Omitted fields stay unchanged. */
export const ChangeChannelAccount = Type.Object(
  {
    name: Type.Optional(name),
    settings: Type.Optional(
      settings(
        'Merged into the stored settings (RFC 7396): missing fields keep their value, null removes one. A masked secret keeps its value, unless the settings send it to another address or in another place of the request: then it must be entered again.',
      ),
    ),
    isDefault: Type.Optional(
      Type.Boolean({
        description: 'true makes the account the default. The default account cannot be set to false.',
      }),
    ),
    verify: Type.Optional(
      Type.Boolean({
        description: 'Default true. false stores new settings without asking the provider whether they work.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ChangeChannelAccount = Static<typeof ChangeChannelAccount>;

/** A channel account, with secret settings masked. */
export const ChannelAccount = Type.Object({
  id: uuid(),
  channel: Type.Enum([...channels]),
  provider: Type.String({ examples: ['twilio'] }),
  name: Type.String({ examples: ['Shop'] }),
  isDefault: Type.Boolean({
    description: 'Whether sends without `channelAccountId` on its channel leave from this account.',
  }),
  defaultDetail: nullable(
    Type.String({
      description:
        'Why a new account is not the default and cannot become it by itself yet. Null if it is the default, or works.',
    }),
  ),
  status: Type.Enum(['connected', 'connecting', 'disconnected', 'action-required'], {
    description:
      '`connected`: it works, as far as Notify knows. `connecting`: nobody knows yet whether its settings work; messages are sent with them. A phone connects to WhatsApp. `disconnected`: the connection of a phone is lost. `action-required`: messages wait until somebody acts; `statusDetail` says why.',
  }),
  statusDetail: nullable(
    Type.String({
      description:
        'Why the status is what it is, or what does not work. If the provider of a connected account cannot be reached, only this changes.',
    }),
  ),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    examples: [{ accountSid: 'AC0123456789', authToken: '********', from: '+15005550006' }],
  }),
  createdAt: Timestamp,
  lastConnectedAt: nullable(Timestamp),
  loopGuard: nullable(
    Type.Object(
      {
        contacts: Type.Integer({ description: 'How many contacts are affected.', examples: [1] }),
        until: Type.String({
          format: 'date-time',
          description: 'When sends to the last of them are no longer spread out.',
        }),
      },
      {
        description:
          'Contacts who exchanged 20 messages each way with the account within a minute, as two programs do that answer each other. Later messages to them leave 30 seconds apart, for 10 minutes. Null without any.',
      },
    ),
  ),
  callbackUrl: nullable(
    Type.String({
      description:
        'Where the provider sends delivery receipts and incoming messages. Null if there is nothing to enter at the provider, because it sends none or Notify sets the address itself, and if no public URL is set.',
    }),
  ),
});
export type ChannelAccount = Static<typeof ChannelAccount>;

/** The capabilities of a provider. */
const Capabilities = Type.Object({
  media: Type.Boolean(),
  reportsDelivery: Type.Boolean({
    description: 'True if delivery receipts come. Without them messages end at `sent`.',
  }),
  silentOn: Type.Array(Type.Enum([...channels]), {
    description:
      'Channels on which none come although `reportsDelivery` is true: the sandbox is silent on telegram.',
    examples: [[]],
  }),
  reportsRead: Type.Boolean(),
  repeatIsSafe: Type.Boolean(),
  callbacks: Type.Boolean(),
  linking: Type.Boolean({ description: 'True if accounts must be linked to a phone before they can send.' }),
  inbound: Type.Boolean({ description: 'True if messages that people write to the account arrive here.' }),
  chatStates: Type.Array(Type.Enum([...chatStates]), {
    description: 'What people who wrote can be told beside messages: `read`, `typing`.',
    examples: [['typing']],
  }),
  replyWindowMs: nullable(
    Type.Integer({
      description:
        'How long free text may be sent after a person’s last message, in ms. Null if it may be sent at any time.',
    }),
  ),
  interactiveOn: Type.Array(Type.Enum([...channels]), {
    description: 'Channels on which it sends buttons and lists.',
    examples: [['whatsapp']],
  }),
  templates: Type.Boolean({ description: 'True if the provider keeps templates that can be sent.' }),
  maxInFlight: Type.Integer(),
  callDeadlineMs: Type.Integer(),
});

/** A provider, as a choice for new accounts. */
export const Provider = Type.Object({
  id: Type.String({ examples: ['twilio'] }),
  channel: Type.Enum([...channels, 'any'], { description: '`any`: the settings name the channel.' }),
  name: Type.String({ examples: ['Twilio'] }),
  capabilities: Capabilities,
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'A JSON Schema. Fields with `secret: true` are masked in responses. `labels` has a text for each value of an enum, for forms.',
  }),
});
export type Provider = Static<typeof Provider>;

/** The provider's answer to whether the settings work. */
export const Verification = Type.Object({
  ok: Type.Boolean({ description: 'Whether the settings work.' }),
  refused: Type.Boolean({
    description:
      'Whether the provider, or Notify itself, refuses the settings. If both are false, no answer came that tells.',
  }),
  detail: Type.String({ examples: ['The account is active.'] }),
});
