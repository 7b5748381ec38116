import type { AccountSettings, PeerCallback } from '../../provider-peer.ts';

/** A request that reached a gateway. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A message as a gateway read it. */
export interface GatewayMessage {
  readonly to: string;
  readonly from: string | null;
  readonly text: string;
  /** Our reference, if the gateway keeps it. */
  readonly reference: string | null;
  /** Where its receipts go. Null: to the address that the account has at the gateway. */
  readonly reportUrl: string | null;
  /** How long the gateway tries to deliver it, in seconds; null if the request does not say. */
  readonly lifetimeSeconds: number | null;
}

export type GatewayStatus = 'sent' | 'delivered' | 'failed';

/** What a person writes to a number of the account. */
export interface GatewayText {
  readonly id: string;
  readonly from: string;
  readonly text: string;
}

/** One gateway's API, written from its documentation and not from our adapter. */
export interface Protocol {
  /** Settings of an account whose gateway is at this address. */
  settings(url: string): AccountSettings;
  /** The same with credentials that the gateway does not know. */
  readonly wrong: AccountSettings;
  /** Where messages are sent to, and where our probe asks for the account. */
  readonly paths: { readonly send: string; readonly probe: string };
  isKnown(asked: Asked): boolean;
  /** The message in a request; null if the gateway could not read it. */
  read(asked: Asked): GatewayMessage | null;
  /** The answer to a message that it took. */
  taken(externalId: string): { readonly status: number; readonly body: unknown };
  /** The callback that tells a status. */
  report(message: GatewayMessage, externalId: string, status: GatewayStatus): PeerCallback;
  /** The callback with a message of a person. */
  write(message: GatewayText): PeerCallback;
  /** The headers by which a callback shows where it comes from. */
  sign(url: string, body: string | Buffer): Readonly<Record<string, string>>;
}

/** The JSON object in a body; null if it holds none. */
export function objectIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const document: unknown = JSON.parse(body);
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A value if it is a text that is not empty. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** What `Authorization` holds for a user name and a password. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The time of a signature, in seconds since 1970. */
export function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}
