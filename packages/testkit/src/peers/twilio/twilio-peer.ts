import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answered, callOnce } from '../deliver.ts';
import { type SmsEntry, SmsLedger } from '../sms-ledger.ts';
import { Switch } from '../switch.ts';
import { contentPage, defaultContents, type TwilioContent } from './twilio-contents.ts';
import { TwilioError } from './twilio-errors.ts';
import { TwilioFiles, type TwilioInbound } from './twilio-inbound.ts';
import { messagingServiceSid, ownedNumbers, readMessage, type TwilioMessage } from './twilio-message.ts';

export interface TwilioReport {
  readonly status: 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'undelivered' | 'failed';
  readonly errorCode?: number;
}

export interface TwilioBehaviour {
  /**
   * How messages are answered; by default they are taken. `hang` and `reset` take them, but do not answer or break off.
   */
  readonly answer?: 'take' | 'hang' | 'reset' | { readonly error: number } | { readonly status: number };
  /** How a page of the contents is answered; `document` is sent as the page. */
  readonly list?: 'take' | 'hang' | 'reset' | { readonly error: number } | { readonly document: unknown };
  readonly times?: number;
  /**
   * The status callbacks of each message taken, in the order sent, which may be out of sequence or repeat a status.
   * Default: queued, sent, delivered.
   */
  readonly reports?: readonly TwilioReport[];
  /** Whether the status callbacks come before the answer. */
  readonly early?: boolean;
  readonly retryAfter?: string;
}

/**
 * Twilio as one account sees it. Twilio's magic numbers have their errors. A recipient that ends in `30…` is reported
 * undelivered with those five digits. Without `advancedOptOut` incoming texts carry no `OptOutType`.
 */
export interface TwilioPeer extends AsyncDisposable {
  /** Replaces https://api.twilio.com and https://content.twilio.com. */
  readonly url: string;
  /** Settings of a `twilio` account: the auth token and a number. */
  readonly settings: Readonly<{ accountSid: string; authToken: string; from: string }>;
  /** Other credentials and senders of such an account: an API key and a Messaging Service. */
  readonly apiKey: Readonly<{ apiKeySid: string; apiKeySecret: string }>;
  readonly messagingServiceSid: string;
  behave(behaviour: TwilioBehaviour): void;
  /** Replaces the contents of the account. */
  setContents(contents: readonly TwilioContent[]): void;
  /** Sets the URL that incoming texts are forwarded to. */
  setIncoming(url: string): void;
  /**
   * A text from a recipient. STOP and START change whether Twilio sends to it. Returns the status of our answer, or
   * null without an address.
   */
  text(from: string, body: string): Promise<number | null>;
  /**
   * A message from a recipient, with everything that it may have. Calls the address again, as a fallback that is the same,
   * if it was not answered within 15 s with 2xx and TwiML. Returns our last answer.
   */
  write(message: TwilioInbound): Promise<Answered>;
  /** Files of incoming messages. */
  readonly files: TwilioFiles;
  ledger(): readonly SmsEntry[];
  when(condition: (ledger: readonly SmsEntry[]) => boolean): Promise<void>;
}

const accountSid = `AC${'0a'.repeat(16)}`;
const authToken = 'peer-auth-token';
/** Settings of a `twilio` account: the auth token and a number. */
export const accountSettings = { accountSid, authToken, from: ownedNumbers[0] ?? '' } as const;
const apiKey = { apiKeySid: `SK${'1b'.repeat(16)}`, apiKeySecret: 'peer-key-secret' };
const usual: readonly TwilioReport[] = [{ status: 'queued' }, { status: 'sent' }, { status: 'delivered' }];

/** Starts Twilio on a port of loopback. */
export async function startTwilioPeer(port = 0, { advancedOptOut = true } = {}): Promise<TwilioPeer> {
  const state = new State(advancedOptOut);
  const server = createServer((request, response) => void serve(request, response, state));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: (state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    settings: accountSettings,
    apiKey,
    messagingServiceSid,
    behave: (behaviour) => state.behaviour.set(behaviour),
    setContents: (contents) => void (state.contents = contents),
    setIncoming: (url) => void (state.incomingUrl = url),
    async text(from, body) {
      const { status } = await state.write({ from, body });
      return state.incomingUrl === null ? null : status;
    },
    write: (message) => state.write(message),
    files: state.files,
    ledger: () => state.ledger.entries(),
    when: (condition) => state.ledger.when(condition),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class State {
  readonly ledger = new SmsLedger();
  readonly behaviour = new Switch<TwilioBehaviour>();
  readonly optedOut = new Set<string>();
  contents = defaultContents;
  readonly advancedOptOut: boolean;
  readonly files = new TwilioFiles();
  incomingUrl: string | null = null;
  url = '';
  private given = 0;

  constructor(advancedOptOut: boolean) {
    this.advancedOptOut = advancedOptOut;
  }

  newSid(): string {
    this.given += 1;
    return `SM${String(this.given).padStart(32, '0')}`;
  }

  async write({
    from,
    body = '',
    files = [],
    sid = this.newSid(),
    more = {},
  }: TwilioInbound): Promise<Answered> {
    const word = body.trim().toUpperCase();
    if (word === 'STOP') this.optedOut.add(from);
    if (word === 'START') this.optedOut.delete(from);
    const { incomingUrl } = this;
    if (incomingUrl === null) return { status: 599, type: '', body: '' };
    const messageSid = files.length === 0 ? sid : sid.replace(/^SM/, 'MM');
    const judged = this.advancedOptOut && (word === 'STOP' || word === 'START') ? { OptOutType: word } : {};
    const fields = {
      MessageSid: messageSid,
      SmsMessageSid: messageSid,
      AccountSid: accountSid,
      SmsStatus: 'received',
      From: from,
      To: ownedNumbers[0] ?? '',
      Body: body,
      NumSegments: '1',
      ApiVersion: '2010-04-01',
      ...this.files.fieldsOf(`${this.url}/2010-04-01/Accounts/${accountSid}/Messages/${messageSid}`, files),
      ...judged,
      ...more,
    };
    const first = await post(incomingUrl, fields);
    return isTwiml(first) ? first : post(incomingUrl, fields);
  }
}

/** Without TwiML Twilio logs an error (12100, 12300) and calls the fallback address. */
function isTwiml({ status, type, body }: Answered): boolean {
  return (
    status >= 200 && status < 300 && /^(text|application)\/xml\b/.test(type) && body.includes('<Response')
  );
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  if (request.url?.startsWith('/storage/') === true) return state.files.serve(request, response);
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  try {
    if (request.url?.startsWith('/v1/ContentAndApprovals') === true)
      return listContents(request, response, state);
    const asked = `${request.method} ${demandAccount(request)}`;
    if (asked === 'GET .json') return json(response, 200, accountOf(request));
    if (asked === 'GET /Messages.json?PageSize=1') return json(response, 200, { messages: [], page_size: 1 });
    const media = /^GET \/Messages\/\w+\/Media\/(\w+)$/.exec(asked)?.[1];
    if (media !== undefined) return state.files.redirect(media, state.url, response);
    if (asked !== 'POST /Messages.json') throw new TwilioError(20404);
    await takeMessage(readMessage(request.headers['content-type'], body, state.contents), response, state);
  } catch (error) {
    if (!(error instanceof TwilioError)) return void response.destroy();
    json(response, error.status, error.document);
  }
}

/** Answers a page of the contents, or not at all. */
function listContents(request: IncomingMessage, response: ServerResponse, state: State): void {
  demandCredentials(request);
  const { list = 'take' } = state.behaviour.next();
  if (typeof list === 'object') {
    if ('error' in list) throw new TwilioError(list.error);
    return json(response, 200, list.document as object);
  }
  if (list === 'reset') response.socket?.resetAndDestroy();
  const { searchParams } = new URL(request.url ?? '', 'http://peer');
  if (list === 'take') json(response, 200, contentPage(state.contents, searchParams, accountSid));
}

function demandCredentials({ headers }: IncomingMessage): void {
  const { apiKeySid, apiKeySecret } = apiKey;
  const users = [basic(accountSid, authToken), basic(apiKeySid, apiKeySecret)];
  if (!users.includes(headers.authorization ?? '')) throw new TwilioError(20003);
}

/** The part of the path below the account. Throws unless the caller may see the account. */
function demandAccount(request: IncomingMessage): string {
  demandCredentials(request);
  const { url = '' } = request;
  const account = `/2010-04-01/Accounts/${accountSid}`;
  if (!url.startsWith(account)) throw new TwilioError(20404);
  return url.slice(account.length);
}

/** The account. Standard keys may not see it. */
function accountOf({ headers }: IncomingMessage): object {
  if (headers.authorization !== basic(accountSid, authToken)) throw new TwilioError(20003);
  return { sid: accountSid, friendly_name: 'Peer Shop', status: 'active', type: 'Full' };
}

async function takeMessage(message: TwilioMessage, response: ServerResponse, state: State): Promise<void> {
  const { answer = 'take', reports = usual, early = false, retryAfter } = state.behaviour.next();
  const sid = state.newSid();
  const id = new URL(message.statusCallback ?? 'http://none').searchParams.get('notify_id') ?? sid;
  state.ledger.ask({ id, to: message.to, from: message.from, text: message.text });
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  if (typeof answer === 'object') return refuse(answer, response);
  const { byService } = message;
  const isOut = state.optedOut.has(message.to);
  if (isOut && !byService) throw new TwilioError(21610);
  state.ledger.take(id, sid);
  const failure = isOut ? 21610 : message.reportedError;
  const due =
    failure === null ? reportsOf(message.to, reports) : [{ status: 'failed', errorCode: failure } as const];
  if (early) await report(id, sid, message, due, state);
  if (answer === 'reset') response.socket?.resetAndDestroy();
  if (answer === 'take') json(response, 201, created(sid, message));
  if (!early) await report(id, sid, message, due, state);
}

/** An error of Twilio's own, or a status with an HTML page as a proxy sends it. */
function refuse(answer: { error: number } | { status: number }, response: ServerResponse): void {
  if ('error' in answer) throw new TwilioError(answer.error);
  response.writeHead(answer.status, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
}

function reportsOf(to: string, told: readonly TwilioReport[]): readonly TwilioReport[] {
  const code = /30\d{3}$/.exec(to)?.[0];
  return code === undefined ? told : [{ status: 'sent' }, { status: 'undelivered', errorCode: Number(code) }];
}

function created(sid: string, { to, from, text, byService }: TwilioMessage): object {
  return {
    sid,
    account_sid: accountSid,
    to,
    from: byService ? null : from,
    body: text,
    status: byService ? 'accepted' : 'queued',
    num_segments: byService ? '0' : '1',
    error_code: null,
  };
}

/** Sends the status callbacks one after the other. Twilio does not repeat a failed one. */
async function report(
  id: string,
  sid: string,
  message: TwilioMessage,
  reports: readonly TwilioReport[],
  { ledger }: State,
): Promise<void> {
  if (message.statusCallback === null) return;
  for (const { status, errorCode } of reports) {
    const fields = {
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: status,
      SmsStatus: status,
      To: message.to,
      From: message.from,
      AccountSid: accountSid,
      ApiVersion: '2010-04-01',
      ...(errorCode === undefined ? {} : { ErrorCode: String(errorCode) }),
    };
    const { status: answered } = await post(message.statusCallback, fields);
    if (answered < 300) ledger.report(id);
  }
}

/** Posts a form signed as Twilio signs it. Returns the answer, with status 599 for none. */
function post(url: string, fields: Readonly<Record<string, string>>): Promise<Answered> {
  const body = new URLSearchParams(fields);
  const headers = { 'x-twilio-signature': signatureOf(url, body) };
  return callOnce(url, { method: 'POST', headers, body }, 15_000);
}

/** Twilio's signature of a form: every name and value in order, a value that is repeated once. */
export function signatureOf(url: string, form: URLSearchParams): string {
  const fields = [...form].sort((one, other) => order(one[0], other[0]) || order(one[1], other[1]));
  const signed = fields.filter(([name, value], index) => {
    const before = fields[index - 1];
    return before?.[0] !== name || before[1] !== value;
  });
  return createHmac('sha1', authToken)
    .update(url + signed.flat().join(''))
    .digest('base64');
}

const order = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function json(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}
