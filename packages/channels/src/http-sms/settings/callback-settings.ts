import Type from 'typebox';

const closed = { additionalProperties: false };

/** How to read the gateway's delivery receipts. */
export const Reports = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        title: 'Added to the callback URL',
        maxLength: 500,
        description: 'A query string for the end of {{dlr_url}}, in which your gateway fills in its values.',
      }),
    ),
    status: Type.String({
      title: 'Status field',
      minLength: 1,
      maxLength: 200,
      description: 'Where the receipt has the status.',
    }),
    values: Type.Record(
      Type.String({ pattern: '^[^]{0,100}$' }),
      Type.Enum(['sent', 'delivered', 'failed', 'ignored']),
      {
        ...closed,
        title: 'Status values',
        description: 'What each status of your gateway means.',
        maxProperties: 500,
      },
    ),
    externalId: Type.Optional(
      Type.String({
        title: 'Field of the gateway’s message ID',
        minLength: 1,
        maxLength: 200,
        description: 'Needed unless the receipt has {{id}}.',
      }),
    ),
    id: Type.Optional(
      Type.String({
        title: 'Field of Notify’s message ID',
        minLength: 1,
        maxLength: 200,
        description: 'Where the receipt has {{id}}, if your request contains it.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        title: 'Field of the reason',
        minLength: 1,
        maxLength: 200,
        description: 'Where the receipt explains a failure.',
      }),
    ),
  },
  {
    ...closed,
    title: 'Delivery receipts',
    description:
      'Where the receipts of your gateway have each value: the name of a query or form parameter, or a JSON pointer such as /message/status.',
  },
);

const inboundField = (title: string, description: string) =>
  Type.String({ title, minLength: 1, maxLength: 200, description });

/** How to read the messages that the gateway hands over. */
export const Inbound = Type.Object(
  {
    from: inboundField('Sender field', 'Where the request has the number of the person who wrote.'),
    text: inboundField('Text field', 'Where the request has the text.'),
    to: Type.Optional(inboundField('Recipient field', 'Where the request has your number.')),
    id: Type.Optional(
      inboundField(
        'Message ID field',
        'Where the request has the gateway’s message ID. By it Notify recognizes a message that is delivered again. Without it, two equal texts that a person sends at the same time count as one message.',
      ),
    ),
    time: Type.Optional(
      inboundField(
        'Time field',
        'Where the request has the time: seconds or milliseconds since 1970, or a date and time in UTC.',
      ),
    ),
    charset: Type.Optional(
      inboundField('Charset field', 'Where the request names the charset of the text. Without it: UTF-8.'),
    ),
    coding: Type.Optional(
      inboundField(
        'Coding field',
        'Where the request has the SMS coding, if it names no charset. The values 2 and 8 mean UCS-2.',
      ),
    ),
    encoding: Type.Optional(
      Type.Enum(['text', 'hex'], {
        title: 'Text is written as',
        description: 'Some gateways write the bytes of the text as hexadecimal digits.',
        labels: { text: 'Text', hex: 'Hexadecimal digits' },
        default: 'text',
      }),
    ),
    international: Type.Optional(
      Type.Boolean({
        title: 'Numbers have a country code',
        description:
          'Whether the gateway writes numbers with their country code. People whose number comes without it cannot be answered.',
        default: true,
      }),
    ),
  },
  {
    ...closed,
    title: 'Incoming messages',
    description:
      'Where your gateway’s requests have each value: the name of a query or form parameter, a JSON pointer such as /message/text, a header as `header:Name`, or `body` for the whole body.',
  },
);
