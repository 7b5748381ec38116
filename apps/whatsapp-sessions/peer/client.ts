import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Ending } from './accounts/closing.ts';
import type { NotificationOrder } from './accounts/notifications.ts';
import type { NumberState } from './accounts/numbers.ts';
import type { AccountState, BehaviourChange, Changes } from './control.ts';
import type { ConnectionEntry } from './log.ts';
import type { HistoryOrder } from './messages/history.ts';
import type { DownloadBehaviour, MediaBehaviour } from './messages/media-host.ts';
import type { InboundOrder } from './messages/person.ts';
import type { ReceiptOrder } from './messages/receipts.ts';

/** The line that the process prints when it listens. */
interface Introduction {
  readonly url: string;
  readonly rootPublicKey: string;
  readonly mediaUrl: string;
  readonly mediaCertificate: string;
  readonly controlUrl: string;
}

/** A WhatsApp server in a separate process, and its control port. Every call rejects if the server refuses it. */
export interface WhatsappPeer extends AsyncDisposable {
  /** The URL that clients connect to: `ws://…/ws/chat`. */
  readonly url: string;
  readonly controlUrl: string;
  /** Base64 of the key that clients must trust: Baileys' `WA_CERT_DETAILS.PUBLIC_KEY`. */
  readonly rootPublicKey: string;
  /** The address of the media host. */
  readonly mediaUrl: string;
  /** PEM of the media host's self-signed certificate. */
  readonly mediaCertificate: string;
  /** A phone reads a QR code. Resolves once the client is linked. */
  scan(qr: string, phone: string): Promise<AccountState>;
  /** A phone's owner enters a pairing code. Resolves once the client is linked. */
  enterCode(code: string, phone: string): Promise<AccountState>;
  behave(change: BehaviourChange): Promise<void>;
  setNumber(phone: string, state: Partial<NumberState>): Promise<void>;
  /** The recipient gets new keys and cannot read messages encrypted for the old ones. */
  reinstall(phone: string): Promise<void>;
  /** Ends the sessions of a phone's linked devices. */
  end(phone: string, as: Ending): Promise<void>;
  /** Closes their connections without a last stanza. */
  cut(phone: string): Promise<void>;
  /** Sends them a frame that they cannot decrypt. */
  sendGarbage(phone: string): Promise<void>;
  /** Tells them that the account's groups have changed, so they query all groups. */
  changeGroups(phone: string): Promise<void>;
  /** The account may not begin chats until then, in seconds of the epoch; null: it may again. Its devices are told. */
  restrict(phone: string, until: number | null): Promise<void>;
  /** The phone removes its linked devices. */
  unlink(phone: string): Promise<void>;
  sendReceipt(receipt: ReceiptOrder): Promise<void>;
  /** A recipient's phone reports that it could not read a message, and asks for it again. */
  askAgain(request: Omit<ReceiptOrder, 'kind'>): Promise<void>;
  /** A phone sends its linked devices its chat history. */
  tellHistory(order: HistoryOrder): Promise<void>;
  /** A person writes to an account, whose devices may be away. Returns WhatsApp's id of the message. */
  write(message: InboundOrder): Promise<string>;
  /** How the media host answers downloads. */
  behaveDownloads(behaviour: DownloadBehaviour): Promise<void>;
  /** The media host refuses that many downloads. */
  refuseDownloads(times: number): Promise<void>;
  /** WhatsApp sends an account a notification. */
  notify(order: NotificationOrder): Promise<void>;
  behaveMedia(behaviour: MediaBehaviour): Promise<void>;
  /** Whether the next connections get a certificate that the root has not signed. */
  forgeCertificate(forged: boolean): Promise<void>;
  /** With false, closes the port and all connections. With true, opens the port again. */
  listen(open: boolean): Promise<void>;
  /** All events until now. */
  log(): Promise<Changes>;
  /** Resolves with the log as soon as it satisfies the condition. */
  when(condition: (log: Changes) => boolean): Promise<Changes>;
  stop(): Promise<void>;
}

/** Starts the server. It ends with this process at the latest. */
export async function startWhatsappPeer(): Promise<WhatsappPeer> {
  const program = path.join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const stop = async () => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { ...connect(JSON.parse(line) as Introduction), stop, [Symbol.asyncDispose]: stop };
}

/**
 * Pairs of connections that were logged in to one account at the same time. If it is empty, no account ever had two.
 */
export function overlaps(connections: readonly ConnectionEntry[]): [ConnectionEntry, ConnectionEntry][] {
  return connections.flatMap((one, index) =>
    connections.slice(index + 1).flatMap((other) => (overlap(one, other) ? [[one, other] as const] : [])),
  ) as [ConnectionEntry, ConnectionEntry][];
}

function overlap(one: ConnectionEntry, other: ConnectionEntry): boolean {
  if (one.jid === null || one.jid !== other.jid) return false;
  if (one.loggedInAt === null || other.loggedInAt === null) return false;
  return one.loggedInAt < (other.closedAt ?? Infinity) && other.loggedInAt < (one.closedAt ?? Infinity);
}

function connect(introduction: Introduction): Omit<WhatsappPeer, 'stop' | typeof Symbol.asyncDispose> {
  const { controlUrl } = introduction;
  const tell = async (command: string, body: unknown) => void (await ask(controlUrl, command, body));
  const changes = (after: number) =>
    ask(controlUrl, '/changes', { after, withinMs: 10_000 }) as Promise<Changes>;
  return {
    ...introduction,
    scan: async (qr, phone) => (await ask(controlUrl, '/scan', { qr, phone })) as AccountState,
    enterCode: async (code, phone) => (await ask(controlUrl, '/enter-code', { code, phone })) as AccountState,
    behave: (change) => tell('/behave', change),
    setNumber: (phone, state) => tell('/number', { phone, ...state }),
    reinstall: (phone) => tell('/reinstall', { phone }),
    end: (phone, as) => tell('/end', { phone, as }),
    cut: (phone) => tell('/cut', { phone }),
    sendGarbage: (phone) => tell('/garbage', { phone }),
    changeGroups: (phone) => tell('/groups-changed', { phone }),
    restrict: (phone, until) => tell('/restrict', { phone, until }),
    unlink: (phone) => tell('/unlink', { phone }),
    askAgain: (request) => tell('/ask-again', request),
    tellHistory: (order) => tell('/history', order),
    write: async (message) => ((await ask(controlUrl, '/inbound', message)) as { id: string }).id,
    behaveDownloads: (behaviour) => tell('/downloads', behaviour),
    refuseDownloads: (times) => tell('/refuse-downloads', times),
    notify: (order) => tell('/notify', order),
    sendReceipt: (receipt) => tell('/receipt', receipt),
    behaveMedia: (behaviour) => tell('/media', behaviour),
    forgeCertificate: (forged) => tell('/forge-certificate', forged),
    listen: (open) => tell('/listen', open),
    log: () => changes(-1),
    async when(condition) {
      let log = await changes(-1);
      while (!condition(log)) log = await changes(log.version);
      return log;
    },
  };
}

async function ask(controlUrl: string, command: string, body: unknown): Promise<unknown> {
  const response = await fetch(controlUrl + command, { method: 'POST', body: JSON.stringify(body) });
  const told = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(`${command}: ${told.error ?? response.status}`);
  return told;
}
