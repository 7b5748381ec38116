import type { ButtonParameter, HeaderParameter, TemplateContent as Content } from '@notify/core';
import Type, { type Static } from 'typebox';
import { filename, nullable } from './fields.ts';

const url = Type.String({ maxLength: 2048, description: 'The public http(s) URL of the file.' });
const file = Type.Object({ url, filename: Type.Optional(filename()) }, { additionalProperties: false });
/** The longest value of a variable. A whole body has at most 32,768 characters. */
const value = Type.String({ maxLength: 4096 });

/** What fills the header of a template. */
export const TemplateHeader = Type.Unsafe<HeaderParameter>(
  Type.Object(
    {
      text: Type.Optional(value),
      image: Type.Optional(file),
      video: Type.Optional(file),
      document: Type.Optional(file),
      location: Type.Optional(
        Type.Object(
          {
            latitude: Type.Number({ minimum: -90, maximum: 90 }),
            longitude: Type.Number({ minimum: -180, maximum: 180 }),
            name: Type.Optional(Type.String({ maxLength: 1000 })),
            address: Type.Optional(Type.String({ maxLength: 1000 })),
          },
          { additionalProperties: false },
        ),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'What fills the header, as its kind requires. Exactly one field.',
    },
  ),
);

/** What fills a button of a template. */
export const TemplateButton = Type.Unsafe<ButtonParameter>(
  Type.Object(
    {
      index: Type.Integer({ minimum: 0, maximum: 9, description: 'The place of the button, from 0.' }),
      payload: Type.Optional(
        Type.String({ maxLength: 256, description: 'What a quick reply sends back to you.' }),
      ),
      text: Type.Optional(
        Type.String({ maxLength: 2000, description: 'The end of the address that a button opens.' }),
      ),
      code: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The code that a button copies: of a coupon, or for one use.',
        }),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 2,
      maxProperties: 2,
      description: '`index`, and one other field.',
    },
  ),
);

/** What fills the variables of a template. */
export const TemplateParameters = Type.Object(
  {
    header: Type.Optional(TemplateHeader),
    body: Type.Optional(
      Type.Union(
        [Type.Array(value, { maxItems: 100 }), Type.Record(Type.String(), value, { maxProperties: 100 })],
        {
          description:
            'What fills the variables of the body: an array fills `{{1}}`, `{{2}}` and so on, an object fills named ones.',
          examples: [['Ada', 'A-7']],
        },
      ),
    ),
    buttons: Type.Optional(Type.Array(TemplateButton, { maxItems: 10 })),
  },
  { additionalProperties: false },
);

/** A template to send, and what fills it. */
export const TemplateContent = Type.Unsafe<Content>(
  Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'The name of the template. For Twilio its ContentSid.',
        examples: ['order_shipped'],
      }),
      language: Type.String({ minLength: 1, maxLength: 64, examples: ['en'] }),
      parameters: Type.Optional(TemplateParameters),
    },
    {
      additionalProperties: false,
      examples: [{ name: 'order_shipped', language: 'en', parameters: { body: ['Ada', 'A-7'] } }],
    },
  ),
);

const Variable = Type.Object({
  name: Type.String({ description: 'Positional variables are named `1`, `2` and so on.', examples: ['1'] }),
  example: nullable(Type.String()),
});

const variables = Type.Array(Variable);

const ShownHeader = Type.Object({
  kind: Type.Enum(['text', 'image', 'video', 'document', 'location']),
  text: Type.Optional(Type.String({ description: 'With `{{name}}` for each variable. For `text` only.' })),
  variables: Type.Optional(variables),
  example: Type.Optional(nullable(Type.String({ description: 'A sample file. For files only.' }))),
});

const ShownButton = Type.Object({
  kind: Type.Enum(['quick-reply', 'url', 'copy-code', 'one-time-code', 'other']),
  text: Type.String(),
  url: Type.Optional(Type.String({ description: 'For `url` only.' })),
  variable: Type.Optional(nullable(Variable)),
  example: Type.Optional(nullable(Type.String({ description: 'A sample code. For `copy-code` only.' }))),
});

/** A template as `GET /v1/channel-accounts/:id/templates` shows it. */
export const ChannelTemplate = Type.Object({
  name: Type.String({ description: 'What a send names.', examples: ['order_shipped'] }),
  language: Type.String({ examples: ['en'] }),
  label: nullable(Type.String({ description: 'A readable name, if `name` is none.' })),
  category: nullable(Type.Enum(['authentication', 'marketing', 'utility'])),
  status: Type.Enum(['approved', 'pending', 'rejected', 'paused', 'disabled'], {
    description: 'Only an approved template can be sent.',
  }),
  reason: nullable(Type.String({ description: 'Why the provider rejected or paused it.' })),
  named: Type.Boolean({ description: 'True if the variables of the body have names.' }),
  header: nullable(ShownHeader),
  body: Type.Object({ text: Type.String({ examples: ['Hi {{1}}, order {{2}} has left.'] }), variables }),
  footer: nullable(Type.String()),
  buttons: Type.Array(ShownButton),
  wants: Type.Array(
    Type.Object({
      at: Type.String({
        description:
          'Where it goes: a JSON pointer below `parameters`. For a button, its number is the `index`.',
        examples: ['/body/0'],
      }),
      kind: Type.Enum(['text', 'image', 'video', 'document', 'location', 'payload', 'code']),
      required: Type.Boolean(),
    }),
    { description: 'The parameters that the template takes.' },
  ),
  example: TemplateContent,
});

/** When an account's templates were last read from the provider. */
const sync = {
  syncedAt: nullable(
    Type.String({ format: 'date-time', description: 'When they were last read from the provider.' }),
  ),
  syncFailedAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the last synchronisation failed. Null if it worked.',
    }),
  ),
  syncError: nullable(Type.String({ description: 'Why the last synchronisation failed.' })),
  syncPending: Type.Boolean({ description: 'True if a synchronisation is due or running.' }),
};

/** A page of an account's templates. */
export const ChannelTemplates = Type.Object({
  data: Type.Array(ChannelTemplate),
  nextCursor: nullable(
    Type.String({ description: 'The cursor of the next page. Null if there are no more templates.' }),
  ),
  ...sync,
});
export type ChannelTemplates = Static<typeof ChannelTemplates>;

/** Query of `GET /v1/channel-accounts/:id/templates`. */
export const TemplatesQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
);

/** What `POST /v1/channel-accounts/:id/templates/sync` answers. */
export const TemplateSync = Type.Object(sync);
export type TemplateSync = Static<typeof TemplateSync>;
