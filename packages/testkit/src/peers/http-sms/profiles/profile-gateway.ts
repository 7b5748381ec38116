import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answered, callOnce, postedBy } from '../../deliver.ts';
import type { AccountSettings, PeerCallback } from '../../provider-peer.ts';
import type { GatewayMessage, GatewayStatus, GatewayText, Protocol } from './protocol.ts';
import { type GatewayName, gatewayProtocols } from './protocols.ts';

/** A message that a gateway took, with its own id of it. */
export interface GatewayEntry extends GatewayMessage {
  readonly externalId: string;
}

/** A gateway with a profile, on loopback. */
export interface ProfileGateway extends AsyncDisposable {
  readonly url: string;
  readonly settings: AccountSettings;
  /** The settings with credentials that it does not know. */
  readonly wrongSettings: AccountSettings;
  ledger(): readonly GatewayEntry[];
  /** Answers the next requests to send with this, in place of taking the message. */
  refuse(answer: { readonly status: number; readonly body: unknown }): void;
  /** Sets the address that the account has at the gateway. */
  setCallback(url: string): void;
  /** Tells the status of a message that it took, signed. */
  report(externalId: string, status: GatewayStatus): Promise<Answered>;
  /** Hands over what a person writes, signed. */
  write(message: GatewayText): Promise<Answered>;
}

/** How long a gateway waits for the answer to a callback. Telnyx waits the shortest time of all. */
const patienceMs = 10_000;

/** Starts the gateway of a profile on a port of loopback. */
export async function startProfileGateway(name: GatewayName): Promise<ProfileGateway> {
  const protocol: Protocol = gatewayProtocols[name];
  const taken: GatewayEntry[] = [];
  let refusal: { readonly status: number; readonly body: unknown } | null = null;
  let callbackUrl = '';
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    const headers = request.headers as Readonly<Record<string, string | undefined>>;
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const asked = { method: request.method ?? '', path: pathname, headers, body };
    const answer = (status: number, content: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (!protocol.isKnown(asked)) return answer(401, { error: 'unknown credentials' });
    if (asked.method === 'GET') return answer(pathname === protocol.paths.probe ? 200 : 404, {});
    if (pathname !== protocol.paths.send) return answer(404, { error: 'unknown path' });
    if (refusal !== null) return answer(refusal.status, refusal.body);
    const message = protocol.read(asked);
    if (message === null) return answer(400, { error: 'malformed request' });
    const externalId = `${name}-${taken.length + 1}`;
    taken.push({ ...message, externalId });
    const { status, body: content } = protocol.taken(externalId);
    answer(status, content);
  }

  const call = (address: string, callback: PeerCallback): Promise<Answered> =>
    callOnce(address, { method: callback.method, ...signed(protocol, address, callback) }, patienceMs);

  return {
    url,
    settings: protocol.settings(url),
    wrongSettings: { ...protocol.settings(url), ...protocol.wrong },
    ledger: () => taken,
    refuse: (answer) => void (refusal = answer),
    setCallback: (address) => void (callbackUrl = address),
    report(externalId, status) {
      const message = taken.find((one) => one.externalId === externalId);
      if (message === undefined) throw new Error(`${externalId} was never taken`);
      return call(message.reportUrl ?? callbackUrl, protocol.report(message, externalId, status));
    },
    write: (message) => call(callbackUrl, protocol.write(message)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function signed(
  protocol: Protocol,
  address: string,
  callback: PeerCallback,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const { type, body } = postedBy(callback);
  return { headers: { 'content-type': type, ...protocol.sign(address, body) }, body };
}
