import {
  type InteractiveContent as Content,
  interactiveLimits as limits,
  type ReplyButton,
  type UrlButton,
} from '@notify/core';
import Type, { type Static } from 'typebox';

const id = Type.String({
  minLength: 1,
  maxLength: limits.idBytes,
  description: `Comes back as \`payload\` of the inbound message of type \`button\`. Unique in the message, at most ${limits.idBytes} bytes of UTF-8.`,
  examples: ['confirm'],
});

/** A button: one that is pressed, or one that opens an address. */
export const InteractiveButton = Type.Unsafe<ReplyButton | UrlButton>(
  Type.Object(
    {
      id: Type.Optional(id),
      url: Type.Optional(
        Type.String({ maxLength: 2048, description: 'The http(s) address that the button opens.' }),
      ),
      title: Type.String({ minLength: 1, maxLength: limits.buttonTitle, examples: ['Confirm'] }),
    },
    {
      additionalProperties: false,
      description: '`title`, and either `id` or `url`.',
      examples: [{ id: 'confirm', title: 'Confirm' }],
    },
  ),
);

/** What the person can choose from a list. */
export const InteractiveRow = Type.Object(
  {
    id,
    title: Type.String({ minLength: 1, maxLength: limits.rowTitle, examples: ['Monday'] }),
    description: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.description, examples: ['9 to 12'] }),
    ),
  },
  { additionalProperties: false },
);

/** A list that a button opens. */
export const InteractiveList = Type.Object(
  {
    button: Type.String({
      minLength: 1,
      maxLength: limits.buttonTitle,
      description:
        'The title of the button that opens the list. Telegram shows the rows at once, without it.',
      examples: ['Choose a day'],
    }),
    sections: Type.Array(
      Type.Object(
        {
          title: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: limits.sectionTitle,
              description: 'Required if there is more than one section.',
            }),
          ),
          rows: Type.Array(InteractiveRow, { minItems: 1, maxItems: limits.rows }),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: limits.rows,
        description: `At most ${limits.rows} rows in all sections together.`,
      },
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        button: 'Choose a day',
        sections: [{ rows: [{ id: 'mon', title: 'Monday', description: '9 to 12' }] }],
      },
    ],
  },
);

/** The fields of buttons or a list, and of the text that they stand under. */
export const interactiveFields = {
  text: Type.String({ minLength: 1, maxLength: limits.text, examples: ['Shall we come on Monday?'] }),
  header: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.header, description: 'A line above the text.' }),
  ),
  footer: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.footer, description: 'A line below the text.' }),
  ),
  buttons: Type.Optional(
    Type.Array(InteractiveButton, {
      minItems: 1,
      maxItems: limits.buttons,
      description: `One to ${limits.buttons} buttons with an \`id\`, or one with a \`url\`. Either \`buttons\` or \`list\` is required.`,
    }),
  ),
  list: Type.Optional(InteractiveList),
  fallback: Type.Optional(
    Type.Enum(['numbered'], {
      description:
        'What to do if the account cannot send buttons. `numbered`: a text is sent that ends in “Reply 1 for …”, and a number that comes back within 24 hours is the press. Without it, such a send is refused with `interactive-not-supported`.',
    }),
  ),
};

/** Buttons or a list: in an item of a bulk call, in a route of a group, and in the body of a message. */
export const InteractiveContent = Type.Unsafe<Content>(
  Type.Object(interactiveFields, {
    additionalProperties: false,
    examples: [
      {
        text: 'Shall we come on Monday?',
        buttons: [
          { id: 'yes', title: 'Yes' },
          { id: 'no', title: 'No' },
        ],
      },
    ],
  }),
);
export type InteractiveContent = Static<typeof InteractiveContent>;
