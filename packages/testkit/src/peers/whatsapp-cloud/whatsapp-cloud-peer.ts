import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudError, cloudErrors } from './whatsapp-cloud-errors.ts';
import { type CloudFiles, type CloudInbound, inboundDocument, newWamid } from './whatsapp-cloud-inbound.ts';
import type { SentInteractive } from './whatsapp-cloud-interactive-schema.ts';
import { type CloudMessage, recipientOf } from './whatsapp-cloud-schema.ts';
import {
  accessToken,
  appSecret,
  type CloudBehaviour,
  type CloudLedgerEntry,
  type CloudPeerOptions,
  CloudState,
  digits,
  waIdOf,
} from './whatsapp-cloud-state.ts';
import { judgeTemplate } from './whatsapp-cloud-template-rules.ts';
import { businessAccountId, type CloudTemplate, templatePage } from './whatsapp-cloud-templates.ts';
import { type CloudTold, isTold, readTold } from './whatsapp-cloud-told.ts';
import { type CloudUpload, kindOf, readUpload } from './whatsapp-cloud-upload.ts';

/** Meta as one app with its numbers sees it. A recipient that ends in an error code gets that error. */
export interface CloudPeer extends AsyncDisposable {
  /** The base URL of the Graph API. */
  readonly url: string;
  /** Settings of a `whatsapp-cloud` account for one of the numbers; the first by default. */
  settings(phoneNumberId?: string): Readonly<Record<string, unknown>>;
  /** Enters a callback URL, as on the app's pages. False if the challenge was not answered. */
  subscribe(callbackUrl: string, verifyToken: string): Promise<boolean>;
  behave(behaviour: CloudBehaviour): void;
  /** Replaces the templates of the business account. */
  setTemplates(templates: readonly CloudTemplate[]): void;
  /**
   * Changes a template's status and tells it in a signed callback, with `more` in its value. Returns the status of the
   * answer.
   */
  changeTemplate(name: string, status: string, more?: Readonly<Record<string, unknown>>): Promise<number>;
  /** Refuses connections until it is back, on the same port. */
  setAway(away: boolean): Promise<void>;
  /** Closes or opens the 24 hours after a recipient's last message. They are open at first. */
  setWindow(to: string, open: boolean): void;
  ledger(): readonly CloudLedgerEntry[];
  uploads(): readonly CloudUpload[];
  /** What people were told beside messages, oldest first. */
  told(): readonly CloudTold[];
  /** Resolves as soon as the ledger satisfies the condition. */
  when(condition: (ledger: readonly CloudLedgerEntry[]) => boolean): Promise<void>;
  /** Sends a signed callback with the given body. Returns the status of the answer. */
  call(body: string): Promise<number>;
  /**
   * People write to a number, by default the first, all in one callback. It is repeated until it is answered with 2xx.
   * Returns the last status.
   */
  write(messages: readonly CloudInbound[], phoneNumberId?: string): Promise<number>;
  /** The files that people sent: `take` gives the content of a media message. */
  readonly files: CloudFiles;
}

/** Starts Meta on a port of loopback. */
export async function startWhatsappCloudPeer(options: CloudPeerOptions = {}): Promise<CloudPeer> {
  const state = new CloudState(options);
  const server = createServer((request, response) => void serve(request, response, state));
  // A connection that closes while a request is on its way would look like a failure of ours.
  server.keepAliveTimeout = 60_000;
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    settings: (phoneNumberId = state.numbers[0]!) => accountSettings(phoneNumberId),
    subscribe: (callbackUrl, verifyToken) => state.subscribe(callbackUrl, verifyToken),
    behave: (behaviour) => state.behave(behaviour),
    setTemplates: (templates) => void (state.templates = templates),
    changeTemplate: (name, status, more = {}) => state.changeTemplate(name, status, more),
    setAway: (away) => (away ? stop(server) : listen(server, port)),
    setWindow: (to, open) => void (open ? state.closed.delete(digits(to)) : state.closed.add(digits(to))),
    ledger: () => [...state.messages.values()],
    uploads: () => [...state.uploads.values()],
    told: () => [...state.told],
    when: (condition) => state.when(condition),
    call: (body) => state.call(body),
    write(messages, phoneNumberId = state.numbers[0]!) {
      const written = messages.map((message) => ({ ...message, id: message.id ?? newWamid() }));
      for (const { id } of written) state.written.set(id, phoneNumberId);
      return state.callUntilTaken(inboundDocument(phoneNumberId, written));
    },
    files: state.files,
    async [Symbol.asyncDispose]() {
      state.callbackUrl = null;
      await stop(server);
    },
  };
}

/** Settings of a `whatsapp-cloud` account for one of the app's numbers. */
export function accountSettings(phoneNumberId: string): Readonly<Record<string, unknown>> {
  return { phoneNumberId, businessAccountId, accessToken, appSecret };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function serve(request: IncomingMessage, response: ServerResponse, state: CloudState): Promise<void> {
  if (request.url?.startsWith('/attachments/') === true)
    return state.files.serve(request, response, accessToken);
  try {
    const document = await answer(request, response, state);
    if (document !== null) json(response, 200, document);
  } catch (error) {
    if (!(error instanceof CloudError)) return void response.destroy();
    const { retryAfter } = state.current;
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    json(response, error.status, error.document);
    request.resume();
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: CloudState,
): Promise<object | null> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://peer');
  const [, version = '', phoneNumberId = '', edge = ''] = pathname.split('/');
  if (!/^v\d+\.0$/.test(version)) throw new CloudError(2500, 'Unknown path components');
  if (request.headers.authorization !== `Bearer ${accessToken}`)
    throw new CloudError(190, 'Invalid OAuth access token');
  if (pathname.endsWith(`/${businessAccountId}/message_templates`) && request.method === 'GET')
    return listTemplates(searchParams, response, state);
  if (request.method === 'GET' && edge === '' && !state.numbers.includes(phoneNumberId))
    return state.files.describe(phoneNumberId, `http://${request.headers.host}`);
  if (!state.numbers.includes(phoneNumberId)) throw new CloudError(100, 'The object does not exist', 33);
  switch (`${request.method} ${edge}`) {
    case 'GET ':
      return { id: phoneNumberId, display_phone_number: '+1 555-010-9999', verified_name: 'Peer Shop' };
    case 'POST media':
      return takeUpload(phoneNumberId, request, state);
    case 'POST messages':
      return takePosted(phoneNumberId, await readJson(request), response, state);
    default:
      throw new CloudError(100, 'Unsupported request');
  }
}

/** Answers a page of the templates. Null leaves the request without an answer. */
function listTemplates(query: URLSearchParams, response: ServerResponse, state: CloudState): object | null {
  const { list = 'take' } = state.next();
  if (typeof list === 'object') {
    if ('error' in list) throw new CloudError(list.error);
    return list.document as object;
  }
  if (list === 'reset') response.socket?.resetAndDestroy();
  if (list !== 'take') return null;
  const page = templatePage(state.templates, query, `https://graph.facebook.com/v25.0/${businessAccountId}`);
  if (page === null) throw new CloudError(100, 'Invalid paging');
  return page;
}

async function takeUpload(
  phoneNumberId: string,
  request: IncomingMessage,
  state: CloudState,
): Promise<object> {
  const uploaded = await readUpload(request);
  const { upload = 'take' } = state.next();
  if (upload !== 'take') throw new CloudError(upload.error);
  const id = String(1_000_000 + state.uploads.size);
  state.uploads.set(id, { ...uploaded, id, phoneNumberId });
  return { id };
}

function takePosted(
  phoneNumberId: string,
  body: unknown,
  response: ServerResponse,
  state: CloudState,
): object | null {
  const take = isTold(body) ? takeTold : takeMessage;
  return take(phoneNumberId, body as object, response, state);
}

/** Takes what a person is to be told. Null leaves the request without an answer. */
function takeTold(
  phoneNumberId: string,
  body: object,
  response: ServerResponse,
  state: CloudState,
): object | null {
  const { answer } = state.next();
  if (typeof answer === 'object') throw new CloudError(answer.error);
  const told = readTold(phoneNumberId, body, state.written);
  if (!state.rates.take(phoneNumberId, state.perSecond, state.perSecond))
    throw new CloudError(130429, 'Too many messages');
  state.told.push(told);
  if (answer === 'reset') response.socket?.resetAndDestroy();
  return answer === 'hang' || answer === 'reset' ? null : { success: true };
}

function takeMessage(
  phoneNumberId: string,
  body: unknown,
  response: ServerResponse,
  state: CloudState,
): object | null {
  const behaviour = state.next();
  const message = state.read(body);
  const entry = state.ask(phoneNumberId, message);
  judgeMessage(phoneNumberId, message, behaviour, state);
  const wamid = state.take(entry);
  void state.report(entry, wamid, behaviour);
  if (behaviour.answer === 'reset') response.socket?.resetAndDestroy();
  if (behaviour.answer === 'hang' || behaviour.answer === 'reset') return null;
  const to = recipientOf(message);
  const contacts = [
    { input: to, ...(message.to === undefined ? { user_id: to } : { wa_id: waIdOf(to, behaviour) }) },
  ];
  return { messaging_product: 'whatsapp', contacts, messages: [{ id: wamid, message_status: 'accepted' }] };
}

/** Ids and titles of buttons, and ids of rows, are unique. A list has at most ten rows in all. */
function judgeInteractive(content: unknown): void {
  const { buttons = [], sections = [] } = (content as SentInteractive).action;
  const replies = buttons.map(({ reply }) => reply);
  const rows = sections.flatMap((section) => section.rows);
  if (rows.length > 10) throw new CloudError(131009, 'Total row count exceed max allowed count: 10');
  for (const ids of [replies, rows].map((ofKind) => ofKind.map(({ id }) => id)))
    if (new Set(ids).size < ids.length) throw new CloudError(131009, 'Duplicated id');
  if (new Set(replies.map(({ title }) => title)).size < replies.length)
    throw new CloudError(131009, 'Duplicated title');
  if (sections.length > 1 && sections.some(({ title }) => title === undefined))
    throw new CloudError(131009, 'Section title is required');
}

/**
 * Refuses what Meta refuses, in Meta's order: first the error it was told to give, then the file or template, the recipient, the
 * rates.
 */
function judgeMessage(
  from: string,
  message: CloudMessage,
  { answer }: CloudBehaviour,
  state: CloudState,
): void {
  if (typeof answer === 'object') throw new CloudError(answer.error);
  if (message.template === undefined) judgeFile(from, message, state);
  else judgeTemplate(message.template, state.templates);
  const to = digits(recipientOf(message));
  const magic = Object.keys(cloudErrors).find((code) => code.length >= 5 && to.endsWith(code));
  if (magic !== undefined) throw new CloudError(Number(magic), `${to} ends in it.`);
  if (!state.rates.take(from, state.perSecond, state.perSecond))
    throw new CloudError(130429, 'Too many messages');
  if (!state.rates.take(`${from} ${to}`, state.pairBurst, 1 / 6))
    throw new CloudError(131056, 'Too many to this user');
}

function judgeFile(from: string, message: CloudMessage, { uploads }: CloudState): void {
  const { type } = message;
  if (type === 'text') return;
  if (type === 'interactive') return judgeInteractive(message[type]);
  const file = uploads.get((message[type] as { id: string }).id);
  if (file?.phoneNumberId !== from) throw new CloudError(131009, 'There is no such media');
  if (type !== 'document' && kindOf(file.mimeType) !== type)
    throw new CloudError(131053, `${file.mimeType} is no ${type}`);
}

function json(response: ServerResponse, status: number, document: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
    .end(JSON.stringify(document));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  try {
    return JSON.parse(body);
  } catch {
    throw new CloudError(100, 'The body is not JSON');
  }
}
