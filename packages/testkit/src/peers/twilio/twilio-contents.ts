import { TwilioError } from './twilio-errors.ts';

/** A content as Twilio keeps it. `variables` holds the default values. */
export interface TwilioContent {
  readonly sid: string;
  readonly friendly_name: string;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, object>>;
  /** The state of its approval by WhatsApp. Default: not submitted. */
  readonly approval_requests?: Readonly<Record<string, unknown>>;
}

/** What a message with a content leads to: the text that the recipient reads, or an error in a later report. */
export interface ContentMessage {
  readonly text: string;
  readonly reportedError: number | null;
}

const sid = (last: number) => `HX${String(last).padStart(32, '0')}`;

/** The contents of a new peer. */
export const defaultContents: readonly TwilioContent[] = [
  {
    sid: sid(1),
    friendly_name: 'order_shipped',
    language: 'en',
    variables: {},
    types: { 'twilio/text': { body: 'Hi {{1}}, your order {{2}} has been shipped.' } },
  },
  {
    sid: sid(2),
    friendly_name: 'support',
    language: 'en',
    variables: { name: 'customer' },
    types: {
      'twilio/quick-reply': {
        body: 'Hi {{name}}, how can we help?',
        actions: [{ title: 'Talk to an agent', id: 'agent' }],
      },
      'twilio/text': { body: 'Hi {{name}}, call us if we can help.' },
    },
  },
  {
    sid: sid(3),
    friendly_name: 'login_code',
    language: 'en',
    variables: { '1': '123456' },
    types: {
      'whatsapp/authentication': {
        add_security_recommendation: true,
        code_expiration_minutes: 10,
        actions: [{ type: 'COPY_CODE', copy_code_text: 'Copy code' }],
      },
    },
    approval_requests: { category: 'AUTHENTICATION', status: 'approved', rejection_reason: '' },
  },
];

const unsubmitted = { category: null, status: 'unsubmitted', rejection_reason: '' };
const dates = { date_created: '2026-01-01T00:00:00Z', date_updated: '2026-01-01T00:00:00Z' };

/** One page of the contents and their approvals (twilio.com/docs/content/content-api-resources). */
export function contentPage(
  contents: readonly TwilioContent[],
  query: URLSearchParams,
  accountSid: string,
): object {
  const size = Number(query.get('PageSize') ?? 50);
  const page = Number(query.get('Page') ?? 0);
  if (!Number.isInteger(size) || size < 1 || size > 1_000) throw new TwilioError(20001);
  if (page > 0 && query.get('PageToken') !== tokenOf(page)) throw new TwilioError(20001);
  const rows = contents.slice(page * size, (page + 1) * size);
  const address = (at: number) =>
    `https://content.twilio.com/v1/ContentAndApprovals?PageSize=${size}&Page=${at}&PageToken=${tokenOf(at)}`;
  return {
    contents: rows.map((row) => ({
      approval_requests: unsubmitted,
      ...row,
      ...dates,
      account_sid: accountSid,
    })),
    meta: {
      page,
      page_size: size,
      first_page_url: address(0),
      previous_page_url: page === 0 ? null : address(page - 1),
      url: address(page),
      next_page_url: (page + 1) * size < contents.length ? address(page + 1) : null,
      key: 'contents',
    },
  };
}

/**
 * Reads the content of a message as Twilio does, with its errors 21654, 21655, 21656 and 21658. A default value fills a
 * variable that is missing. Without one, the message is taken and reported as failed (63028), and so is a content that
 * the channel does not take (63005) (twilio.com/docs/api/errors).
 */
export function readContentMessage(
  form: URLSearchParams,
  contents: readonly TwilioContent[],
): ContentMessage {
  const contentSid = form.get('ContentSid');
  if (contentSid === null) throw new TwilioError(21654);
  const content = contents.find((one) => one.sid === contentSid);
  if (!/^HX[0-9a-fA-F]{32}$/.test(contentSid) || content === undefined) throw new TwilioError(21655);
  const given = variablesOf(form.get('ContentVariables'));
  const { body } = (content.types['twilio/text'] ?? {}) as { body?: string };
  if (body === undefined) return { text: '', reportedError: 63005 };
  const values = { ...content.variables, ...given };
  const wanted = Array.from(body.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name);
  const text = body.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  const fits =
    wanted.every((name) => values[name] !== undefined) &&
    Object.keys(given).every((name) => wanted.includes(name));
  return { text, reportedError: fits ? null : 63028 };
}

/** The texts of `ContentVariables`: a JSON object of texts, none of them empty or with line breaks. */
function variablesOf(json: string | null): Readonly<Record<string, string>> {
  if (json === null) return {};
  const document = parsed(json);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new TwilioError(21656);
  for (const value of Object.values(document) as unknown[]) {
    if (typeof value !== 'string' || value === '' || /[\n\r\t]| {5}/.test(value))
      throw new TwilioError(21656);
    if (value.length > 1_600) throw new TwilioError(21658);
  }
  return document as Record<string, string>;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new TwilioError(21656);
  }
}

function tokenOf(page: number): string {
  return `PT${page}`;
}
