import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';
import { callOnce, callUntilTaken } from '../deliver.ts';
import { type SmsEntry, SmsLedger } from '../sms-ledger.ts';
import { Switch } from '../switch.ts';
import { make, messagesCall, smsCalls, type VonageInbound } from './vonage-inbound.ts';
import { problemOf, readMessage, type VonageMessage, VonageProblem } from './vonage-message.ts';

export interface VonageReport {
  readonly status: 'submitted' | 'delivered' | 'read' | 'rejected' | 'undeliverable';
  /** The code of its error. */
  readonly error?: string;
}

export interface VonageBehaviour {
  /**
   * How messages are answered; by default they are taken. `hang` and `reset` take them, but do not answer or break off.
   */
  readonly answer?: 'take' | 'hang' | 'reset' | { readonly status: number; readonly code: string };
  readonly times?: number;
  /**
   * The status webhooks of each message taken, in the order sent, which may be out of sequence or repeat a status.
   * Default: submitted, delivered.
   */
  readonly reports?: readonly VonageReport[];
  /** Whether the status webhooks come before the answer. */
  readonly early?: boolean;
  readonly retryAfter?: string;
}

/**
 * Vonage's Messages API as one application sees it. A recipient that ends in 00 and a code is later rejected with that
 * code.
 */
export interface VonagePeer extends AsyncDisposable {
  /** Replaces https://api.nexmo.com. */
  readonly url: string;
  /** Settings of a `vonage` account. */
  readonly settings: Readonly<{
    applicationId: string;
    privateKey: string;
    signatureSecret: string;
    from: string;
  }>;
  behave(behaviour: VonageBehaviour): void;
  /** Sets the URL that incoming texts are forwarded to. */
  setIncoming(url: string): void;
  /**
   * A person writes to the number. Each callback is repeated until it is answered with 2xx. Returns the last status of
   * each.
   */
  write(message: VonageInbound): Promise<readonly number[]>;
  ledger(): readonly SmsEntry[];
  when(condition: (ledger: readonly SmsEntry[]) => boolean): Promise<void>;
}

const applicationId = 'a1b2c3d4-0000-4000-8000-00000000beef';
const signatureSecret = 'peer-signature-secret';
const usual: readonly VonageReport[] = [{ status: 'submitted' }, { status: 'delivered' }];

/** Settings of a `vonage` account with this key. */
export function accountSettings(privateKey: string): VonagePeer['settings'] {
  return { applicationId, privateKey, signatureSecret, from: 'Notify' };
}

/** The keys of an application. */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** Starts Vonage on a port of loopback, with a key pair of its own. */
export async function startVonagePeer(port = 0): Promise<VonagePeer> {
  const { privateKey, publicKey } = newKeyPair();
  const state: State = {
    publicKey,
    ledger: new SmsLedger(),
    behaviour: new Switch(),
    tokensSeen: new Set(),
    incomingUrl: null,
  };
  const server = createServer((request, response) => void serve(request, response, state));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: accountSettings(privateKey),
    behave: (behaviour) => state.behaviour.set(behaviour),
    setIncoming: (url) => void (state.incomingUrl = url),
    write: (message) => write(message, state),
    ledger: () => state.ledger.entries(),
    when: (condition) => state.ledger.when(condition),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  readonly publicKey: string;
  readonly ledger: SmsLedger;
  readonly behaviour: Switch<VonageBehaviour>;
  readonly tokensSeen: Set<string>;
  incomingUrl: string | null;
}

async function write(message: VonageInbound, { incomingUrl }: State): Promise<readonly number[]> {
  if (incomingUrl === null) return [];
  const calls =
    (message.form ?? 'messages') === 'messages'
      ? [messagesCall(message, tokenOf)]
      : smsCalls(message, signatureSecret);
  const statuses: number[] = [];
  for (const call of calls) {
    const { status } = await callUntilTaken(() => make(call, incomingUrl));
    statuses.push(status);
  }
  return statuses;
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  try {
    demandToken(request.headers.authorization ?? '', state);
    if (`${request.method} ${request.url}` !== 'POST /v1/messages') {
      throw new VonageProblem(404, 'not-found', 'There is nothing here');
    }
    await takeMessage(readMessage(request.headers['content-type'], body), response, state);
  } catch (error) {
    if (!(error instanceof VonageProblem)) return void response.destroy();
    response
      .writeHead(error.status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify(error.document));
  }
}

/** Demands an RS256 token of the application, valid for at most a day, with a new `jti`. */
function demandToken(authorization: string, { publicKey, tokensSeen }: State): void {
  try {
    const claims = jwt.verify(authorization.replace(/^Bearer /, ''), publicKey, {
      algorithms: ['RS256'],
    }) as jwt.JwtPayload;
    const { application_id: of, jti = '', iat = 0, exp = Infinity } = claims;
    if (of !== applicationId || jti === '' || tokensSeen.has(jti) || exp - iat > 86_400) throw new Error();
    tokensSeen.add(jti);
  } catch {
    throw new VonageProblem(401, 'unauthorized', 'You did not provide correct credentials.');
  }
}

async function takeMessage(message: VonageMessage, response: ServerResponse, state: State): Promise<void> {
  const { answer = 'take', reports = usual, early = false, retryAfter } = state.behaviour.next();
  const uuid = randomUUID();
  const { to, from, text, client_ref: id = uuid } = message;
  state.ledger.ask({ id, to, from, text });
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  if (typeof answer === 'object') throw new VonageProblem(answer.status, answer.code, 'As the peer was told');
  state.ledger.take(id, uuid);
  const due = reportsOf(to, reports);
  if (early) await report(id, uuid, message, due, state);
  if (answer === 'reset') response.socket?.resetAndDestroy();
  if (answer === 'take') {
    response
      .writeHead(202, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message_uuid: uuid }));
  }
  if (!early) await report(id, uuid, message, due, state);
}

function reportsOf(to: string, told: readonly VonageReport[]): readonly VonageReport[] {
  const code = /00(1\d{3})$/.exec(to)?.[1];
  return code === undefined ? told : [{ status: 'submitted' }, { status: 'rejected', error: code }];
}

async function report(
  id: string,
  uuid: string,
  { to, from, client_ref, webhook_url }: VonageMessage,
  reports: readonly VonageReport[],
  { ledger }: State,
): Promise<void> {
  if (webhook_url === undefined) return;
  for (const { status, error } of reports) {
    const body = JSON.stringify({
      message_uuid: uuid,
      to,
      from,
      timestamp: new Date().toISOString(),
      status,
      channel: 'sms',
      client_ref,
      ...(error === undefined ? {} : { error: problemOf(error, 'As the peer was told') }),
    });
    if ((await post(webhook_url, body)) < 300) ledger.report(id);
  }
}

/** Posts JSON signed as Vonage signs it. Returns the status of the answer, 599 for none. */
async function post(url: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${tokenOf(body)}`, 'content-type': 'application/json' };
  return (await callOnce(url, { method: 'POST', headers, body }, 10_000)).status;
}

/** The token of a callback with this body. */
export function tokenOf(body: string | Buffer): string {
  const hash = createHash('sha256').update(body).digest('hex');
  const claims = {
    iss: 'Vonage',
    jti: randomUUID(),
    payload_hash: hash,
    api_key: 'a1b2c3d4',
    application_id: applicationId,
  };
  return jwt.sign(claims, signatureSecret, { algorithm: 'HS256' });
}
