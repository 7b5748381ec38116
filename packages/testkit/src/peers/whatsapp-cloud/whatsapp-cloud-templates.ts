/** A template as Meta keeps and lists it. */
export interface CloudTemplate {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: 'AUTHENTICATION' | 'MARKETING' | 'UTILITY';
  readonly parameter_format?: 'NAMED' | 'POSITIONAL';
  readonly rejected_reason?: string;
  readonly components: readonly CloudComponent[];
}

export interface CloudComponent {
  readonly type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS';
  readonly format?: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION';
  readonly text?: string;
  readonly example?: Readonly<Record<string, unknown>>;
  readonly add_security_recommendation?: boolean;
  readonly code_expiration_minutes?: number;
  readonly buttons?: readonly CloudButton[];
}

export interface CloudButton {
  readonly type: 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE';
  readonly text: string;
  readonly url?: string;
  readonly phone_number?: string;
  readonly example?: readonly string[];
}

/** The business account that holds the templates. */
export const businessAccountId = '102290129340398';

const body = (text: string, ...samples: string[]): CloudComponent => ({
  type: 'BODY',
  text,
  ...(samples.length === 0 ? {} : { example: { body_text: [samples] } }),
});

/** The templates of a new peer: without variables, positional, named, and for a one-time code. */
export const defaultTemplates: readonly CloudTemplate[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      body('Welcome and congratulations!'),
      { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
    ],
  },
  {
    name: 'order_shipped',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      body('Hi {{1}}, your order {{2}} has been shipped.', 'Ada', '860198'),
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Track',
            url: 'https://shop.example/track/{{1}}',
            example: ['https://shop.example/track/860198'],
          },
          { type: 'QUICK_REPLY', text: 'Stop updates' },
        ],
      },
    ],
  },
  {
    name: 'appointment_reminder',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'NAMED',
    components: [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'See you on {{day}}',
        example: { header_text_named_params: [{ param_name: 'day', example: 'Monday' }] },
      },
      {
        type: 'BODY',
        text: 'Hi {{first_name}}, we expect you at {{time}}.',
        example: {
          body_text_named_params: [
            { param_name: 'first_name', example: 'Ada' },
            { param_name: 'time', example: '10:30' },
          ],
        },
      },
    ],
  },
  {
    name: 'login_code',
    language: 'en',
    status: 'APPROVED',
    category: 'AUTHENTICATION',
    parameter_format: 'POSITIONAL',
    components: [
      { ...body('*{{1}}* is your verification code.', '123456'), add_security_recommendation: true },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Copy code',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
            example: ['https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456'],
          },
        ],
      },
    ],
  },
];

/**
 * One page of the templates, with the fields that the query names. Cursor-paged: `paging.next` is there only if more
 * follow (developers.facebook.com/docs/graph-api/results). Null if the query is none of Meta's.
 */
export function templatePage(
  templates: readonly CloudTemplate[],
  query: URLSearchParams,
  address: string,
): object | null {
  const limit = Number(query.get('limit') ?? 25);
  const after = query.get('after');
  const first = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString()) + 1;
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000 || !Number.isInteger(first)) return null;
  const rows = templates.slice(first, first + limit);
  const last = first + rows.length - 1;
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const following = new URLSearchParams(query);
  following.set('after', cursors.after);
  const next = last + 1 < templates.length ? { next: `${address}?${following.toString()}` } : {};
  const fields = (query.get('fields') ?? 'name,language,status,category,components,parameter_format').split(
    ',',
  );
  return {
    data: rows.map((row, index) => ({
      ...chosen(row, fields),
      id: String(594_425_479_261_596 + first + index),
    })),
    ...(rows.length === 0 ? {} : { paging: { cursors, ...next } }),
  };
}

/** The body of a callback that tells an event of a template. */
export function templateCallback(
  { name, language, category }: CloudTemplate,
  event: string,
  more: Readonly<Record<string, unknown>>,
): string {
  const value = {
    event,
    message_template_id: 594_425_479_261_596,
    message_template_name: name,
    message_template_language: language,
    reason: 'NONE',
    message_template_category: category,
    ...more,
  };
  const changes = [{ value, field: 'message_template_status_update' }];
  const entry = [{ id: businessAccountId, time: Math.floor(Date.now() / 1_000), changes }];
  return JSON.stringify({ entry, object: 'whatsapp_business_account' });
}

function chosen(template: CloudTemplate, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(template).filter(([name]) => fields.includes(name)));
}

function cursorOf(index: number): string {
  return Buffer.from(String(index)).toString('base64url');
}
