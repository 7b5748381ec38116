/** A problem (RFC 7807) as Vonage answers it. `code` is the fragment of its type. */
export class VonageProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: object;

  constructor(status: number, code: string, detail: string, more: object = {}) {
    super(detail);
    this.name = 'VonageProblem';
    this.status = status;
    this.code = code;
    this.more = more;
  }

  get document(): object {
    return { ...problemOf(this.code, this.message), ...this.more };
  }
}

/** The problem of a code in answers and receipts. The codes of the Messages API are numbers. */
export function problemOf(code: string, detail: string): object {
  const page = /^\d+$/.test(code) ? 'api-errors/messages' : 'api-errors';
  const title = /^\d+$/.test(code) ? Number(code) : `Title of ${code}`;
  return { type: `https://developer.vonage.com/${page}#${code}`, title, detail, instance: 'peer-trace' };
}

/** A message as requested. */
export interface VonageMessage {
  readonly to: string;
  readonly from: string;
  readonly text: string;
  readonly client_ref?: string;
  readonly ttl?: number;
  readonly webhook_url?: string;
}

type Rule = (value: string) => boolean;

/** The range of `ttl` in the Messages API, in seconds. */
const [leastTtl, mostTtl] = [20, 604_800];

const rules: Readonly<Record<string, Rule>> = {
  message_type: (value) => value === 'text',
  channel: (value) => value === 'sms',
  to: (value) => /^[1-9]\d{6,14}$/.test(value),
  from: (value) => /^(\d{3,15}|[A-Za-z0-9 ]{1,11})$/.test(value),
  text: (value) => value.length >= 1 && value.length <= 1_000,
  client_ref: (value) => value.length <= 100,
  webhook_url: (value) => /^https?:\/\/[^/]+\//.test(value),
  webhook_version: (value) => value === 'v1',
};
const required = ['message_type', 'channel', 'to', 'from', 'text'];

/**
 * Reads the body of a message. Throws the problem with which Vonage would refuse it. Unlike Vonage, it accepts only
 * fields that we mean to send.
 */
export function readMessage(contentType: string | undefined, body: string): VonageMessage {
  if (contentType !== 'application/json') throw new VonageProblem(415, 'unsupported', 'Send JSON');
  const message = parse(body);
  const wrong = Object.entries(message).filter(([name, value]) => {
    if (name === 'ttl') return !isTtl(value);
    return typeof value !== 'string' || rules[name]?.(value) !== true;
  });
  const missing = required.filter((name) => message[name] === undefined);
  const names = [...missing, ...wrong.map(([name]) => name)];
  if (names.length === 0) return message as unknown as VonageMessage;
  const invalid = names.map((name) => ({ name, reason: 'is missing or not valid' }));
  throw new VonageProblem(422, missing.length > 0 ? '1010' : '1020', 'Your request is not valid', {
    invalid_parameters: invalid,
  });
}

function isTtl(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= leastTtl && value <= mostTtl;
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new VonageProblem(422, '1020', 'The body is not JSON');
  }
}
