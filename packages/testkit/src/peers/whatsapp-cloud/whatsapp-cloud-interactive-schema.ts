const closed = { additionalProperties: false };
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const object = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  ...closed,
});

/** What a reply button or a row of a list has. */
interface Choice {
  readonly id: string;
  readonly title: string;
}

/** The interactive content of a message that passed the schema. */
export interface SentInteractive {
  readonly action: {
    readonly buttons?: readonly { readonly reply: Choice }[];
    readonly sections?: readonly { readonly title?: string; readonly rows: readonly Choice[] }[];
  };
}

const actions: Readonly<Record<string, object>> = {
  button: object({
    buttons: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: object({ type: { const: 'reply' }, reply: object({ id: text(256), title: text(20) }) }),
    },
  }),
  list: object({
    button: text(20),
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: object(
        {
          title: text(24),
          rows: {
            type: 'array',
            minItems: 1,
            maxItems: 10,
            items: object({ id: text(200), title: text(24), description: text(72) }, ['description']),
          },
        },
        ['title'],
      ),
    },
  }),
  cta_url: object({
    name: { const: 'cta_url' },
    parameters: object({ display_text: text(20), url: { type: 'string', pattern: '^https?://' } }),
  }),
};

/** Interactive content by Meta's reference: a text header, a body, a footer, and the action of its type. */
export const interactiveSchema = {
  ...object(
    {
      type: { enum: Object.keys(actions) },
      header: object({ type: { const: 'text' }, text: text(60) }),
      body: object({ text: text(1024) }),
      footer: object({ text: text(60) }),
      action: { type: 'object' },
    },
    ['header', 'footer'],
  ),
  oneOf: Object.entries(actions).map(([type, action]) => ({ properties: { type: { const: type }, action } })),
};
