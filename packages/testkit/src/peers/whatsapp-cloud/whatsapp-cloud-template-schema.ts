const closed = { additionalProperties: false };
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const link = { type: 'string', pattern: '^https?://.' };

/** A parameter: exactly the fields of its type. */
const parameter = (
  type: string,
  required: readonly string[],
  properties: Readonly<Record<string, object>>,
) => ({
  type: 'object',
  required: ['type', ...required],
  properties: { type: { const: type }, ...properties },
  ...closed,
});
const file = (type: string, more: Readonly<Record<string, object>> = {}) =>
  parameter(type, [type], {
    [type]: { type: 'object', required: ['link'], properties: { link, ...more }, ...closed },
  });

/** Meta documents coordinates as texts. */
const degrees = { type: 'string', pattern: '^-?[0-9]{1,3}(\\.[0-9]{1,20})?$' };
const location = parameter('location', ['location'], {
  location: {
    type: 'object',
    required: ['latitude', 'longitude'],
    properties: { latitude: degrees, longitude: degrees, name: text(1_000), address: text(1_000) },
    ...closed,
  },
});
const words = parameter('text', ['text'], {
  text: text(32_768),
  parameter_name: { type: 'string', pattern: '^[a-z0-9_]+$' },
});

const component = (type: string, properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: ['type', ...Object.keys(properties)],
  properties: { type: { const: type }, ...properties },
  ...closed,
});
const list = (items: object, maxItems: number) => ({ type: 'array', minItems: 1, maxItems, items });

/** A button's `index` counts from 0; Meta's examples write it as a text or a number. */
const index = {
  oneOf: [
    { type: 'string', pattern: '^[0-9]$' },
    { type: 'integer', minimum: 0, maximum: 9 },
  ],
};
const button = (subType: string, items: object) =>
  component('button', { sub_type: { const: subType }, index, parameters: list(items, 1) });

const header = {
  anyOf: [words, file('image'), file('video'), file('document', { filename: text(240) }), location],
};

/**
 * The `template` of a message, limited to what we send
 * (developers.facebook.com/documentation/business-messaging/whatsapp/templates/components and its neighbours).
 */
export const templateSchema = {
  type: 'object',
  required: ['name', 'language'],
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9_]{1,512}$' },
    language: {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', pattern: '^[a-z]{2,3}(_[A-Z]{2,3})?$' } },
      ...closed,
    },
    components: list(
      {
        anyOf: [
          component('header', { parameters: list(header, 1) }),
          component('body', { parameters: list(words, 100) }),
          button('quick_reply', parameter('payload', ['payload'], { payload: text(128) })),
          button('url', words),
          button('copy_code', parameter('coupon_code', ['coupon_code'], { coupon_code: text(20) })),
        ],
      },
      12,
    ),
  },
  ...closed,
};

/** A parameter that passed the schema. */
export interface SentParameter {
  readonly type: string;
  readonly text?: string;
  readonly parameter_name?: string;
  readonly coupon_code?: string;
}

/** A template that passed the schema. */
export interface SentTemplate {
  readonly name: string;
  readonly language: { readonly code: string };
  readonly components?: readonly {
    readonly type: 'header' | 'body' | 'button';
    readonly sub_type?: string;
    readonly index?: string | number;
    readonly parameters: readonly SentParameter[];
  }[];
}
