import { Ajv, type ValidateFunction } from 'ajv';
import { interactiveSchema } from './whatsapp-cloud-interactive-schema.ts';
import { type SentTemplate, templateSchema } from './whatsapp-cloud-template-schema.ts';

const closed = { additionalProperties: false };
const file = (...more: readonly string[]) => ({
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', pattern: '^[0-9]+$' },
    ...Object.fromEntries(more.map((name) => [name, texts[name]])),
  },
  ...closed,
});
const texts: Readonly<Record<string, object>> = {
  caption: { type: 'string', minLength: 1, maxLength: 1024 },
  filename: { type: 'string', minLength: 1, maxLength: 240 },
};
const kinds: Readonly<Record<string, object>> = {
  text: {
    type: 'object',
    required: ['body'],
    properties: { body: { type: 'string', minLength: 1, maxLength: 4096 }, preview_url: { type: 'boolean' } },
    ...closed,
  },
  image: file('caption'),
  video: file('caption'),
  audio: file(),
  document: file('caption', 'filename'),
  template: templateSchema,
  interactive: interactiveSchema,
};

/** A message by Meta's reference, limited to what we send: exactly one content, that of its type. */
const message = {
  type: 'object',
  required: ['messaging_product', 'type'],
  properties: {
    messaging_product: { const: 'whatsapp' },
    recipient_type: { const: 'individual' },
    to: { type: 'string', pattern: '^\\+?[1-9][0-9]{5,14}$' },
    recipient: { type: 'string', pattern: '^[A-Z]{2}\\.(ENT\\.)?[0-9A-Za-z]{1,128}$' },
    context: {
      type: 'object',
      required: ['message_id'],
      properties: { message_id: { type: 'string', minLength: 1 } },
      ...closed,
    },
    type: { enum: Object.keys(kinds) },
    biz_opaque_callback_data: { type: 'string', minLength: 1, maxLength: 512 },
    ...kinds,
  },
  ...closed,
  anyOf: [{ required: ['to'] }, { required: ['recipient'] }],
  oneOf: Object.keys(kinds).map((kind) => ({
    properties: { type: { const: kind } },
    required: [kind],
    not: { anyOf: Object.keys(kinds).flatMap((other) => (other === kind ? [] : [{ required: [other] }])) },
  })),
};

/** A message that passed the schema. */
export interface CloudMessage {
  /** A number; absent if the person is named by `recipient`. */
  readonly to?: string;
  /** An id that this business alone may use. */
  readonly recipient?: string;
  readonly context?: { readonly message_id: string };
  readonly type: string;
  readonly biz_opaque_callback_data?: string;
  readonly template?: SentTemplate;
  readonly [content: string]: unknown;
}

/** The person that a message goes to: `to` counts if both are given. */
export function recipientOf({ to, recipient = '' }: CloudMessage): string {
  return to ?? recipient;
}

/** Checks messages against the schema. The function's `errors` holds the faults. */
export function messageValidator(): ValidateFunction<CloudMessage> {
  return new Ajv({ allErrors: true, strict: false }).compile<CloudMessage>(message);
}
