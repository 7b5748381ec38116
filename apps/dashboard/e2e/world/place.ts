import type { Introduction, PeerName } from './peer.ts';

/** What an installation has. */
export interface InstallationOptions {
  /** Providers that accounts are connected to; each costs a process. */
  readonly peers?: readonly PeerName[];
  /** Settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether messages and webhooks are sent; default true. Two processes do that. */
  readonly sends?: boolean;
}

/** Where a running service and all around it are, in words that another process understands. */
export interface Place {
  /** Of the dashboard and the api. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly peers: Readonly<Partial<Record<PeerName, Introduction>>>;
}
