import { type DatabaseServer, type DatabaseUrl, readDatabaseUrl, type SessionAttrs } from '@notify/core';
import { metrics } from '@notify/telemetry';
import { askAll } from './ask-all.ts';
import { askServer } from './ask-server.ts';
import { type Answer, chooseServer, isOfOne, isStale, whyNot } from './choose-server.ts';

/** How often a list of servers is looked at without a reason, in ms. A server that was cut off is found out by this. */
const lookEveryMs = 3_000;

/** Why a connection was thrown out. */
export type LostReason =
  /** Its server has become read-only. */
  | 'read_only'
  /** Its server ends or has crashed, and said so. */
  | 'terminated'
  /** Another server is the primary now. */
  | 'moved'
  /** A statement took too long. */
  | 'timeout'
  /** It broke without a word. */
  | 'broken';

/** A connection, as the servers of a URL know it. */
interface Member {
  readonly server: DatabaseServer | null;
  leave(reason: LostReason): void;
}

/** A change of the server that connections go to, or of one that must not be used. */
export interface ServerChange {
  readonly kind: 'moved' | 'stale';
  readonly server: string;
  /** The server before, or the one that is the primary. */
  readonly other: string;
}

/**
 * The servers of one URL. All pools of a process share them, so what one connection learns of a server holds for all.
 * With several servers, one is trusted until something fails, or until a look every 3 s says otherwise.
 */
export interface Servers {
  readonly attrs: SessionAttrs;
  /** The URL for `pg`, whose host and port must be replaced by those of `pick`. */
  readonly connectionString: string;
  /** The server for a new connection; null if `pg` knows it from the URL. Rejects if none fits, as `away`. */
  pick(): Promise<DatabaseServer | null>;
  /** Something failed: the trusted server must be looked at again before the next connection. */
  doubt(): void;
  /** Whether new connections no longer go to this server, because another one is the primary. */
  hasMovedFrom(server: DatabaseServer | null): boolean;
  /** Adds an open connection; the result removes it. */
  add(member: Member): () => void;
  /** Throws out all connections to this server. */
  leave(server: DatabaseServer | null, reason: LostReason): void;
  onChange(listener: (change: ServerChange) => void): () => void;
  /** Ends this use. The last one ends the looks. */
  close(): void;
}

/** The URLs in use in this process, because pools that were opened apart share what is known of a server. */
const inUse = new Map<string, { readonly servers: SharedServers; uses: number }>();

metrics.readAtScrape(metrics.servers.current, () => {
  metrics.servers.current.reset();
  for (const { servers } of inUse.values()) servers.show();
});

/** Opens the servers of a URL. Throws for a malformed one. Close them. */
export function openServers(url: string): Servers {
  const entry = inUse.get(url) ?? { servers: new SharedServers(parsed(url)), uses: 0 };
  entry.uses += 1;
  inUse.set(url, entry);
  let isOpen = true;
  const { servers } = entry;
  return {
    attrs: servers.attrs,
    connectionString: servers.connectionString,
    pick: () => servers.pick(),
    doubt: () => servers.doubt(),
    hasMovedFrom: (server) => servers.hasMovedFrom(server),
    add: (member) => servers.add(member),
    leave: (server, reason) => servers.leave(server, reason),
    onChange: (listener) => servers.onChange(listener),
    close() {
      if (!isOpen) return;
      isOpen = false;
      entry.uses -= 1;
      if (entry.uses > 0) return;
      inUse.delete(url);
      servers.close();
    },
  };
}

function parsed(url: string): DatabaseUrl {
  const read = readDatabaseUrl(url);
  if ('fault' in read) throw new Error(`the URL of the database: ${read.fault}`);
  return read;
}

class SharedServers {
  readonly attrs: SessionAttrs;
  readonly connectionString: string;
  readonly #list: readonly DatabaseServer[];
  readonly #members = new Set<Member>();
  readonly #listeners = new Set<(change: ServerChange) => void>();
  readonly #stale = new Set<string>();
  #looks: NodeJS.Timeout | undefined;
  #current: DatabaseServer | null = null;
  #newestTimeline = 0;
  /** Counts the doubts, so that a look that began before the last one does not end it. */
  #doubts = 0;
  #resolvedDoubts = 0;
  #finding: Promise<DatabaseServer> | null = null;

  constructor({ servers, sessionAttrs, ofOneServer }: DatabaseUrl) {
    this.attrs = sessionAttrs;
    this.connectionString = ofOneServer;
    this.#list = servers;
    if (this.#isOne) this.#current = servers[0] ?? null;
    else this.#looks = setInterval(() => this.#lookAgain(), lookEveryMs).unref();
  }

  get #isOne(): boolean {
    return this.#list.length <= 1;
  }

  async pick(): Promise<DatabaseServer | null> {
    if (this.#isOne) return this.#current;
    if (this.#current !== null && this.#doubts === this.#resolvedDoubts) return this.#current;
    return this.#find();
  }

  doubt(): void {
    if (this.#isOne) return;
    this.#doubts += 1;
    this.#lookAgain();
  }

  hasMovedFrom(server: DatabaseServer | null): boolean {
    return !this.#isOne && isOfOne(this.attrs) && server !== this.#current;
  }

  add(member: Member): () => void {
    this.#members.add(member);
    return () => void this.#members.delete(member);
  }

  leave(server: DatabaseServer | null, reason: LostReason): void {
    for (const member of this.#members) if (member.server === server) member.leave(reason);
  }

  onChange(listener: (change: ServerChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Exports which server connections go to. */
  show(): void {
    for (const server of this.#list)
      metrics.servers.current.set({ server: server.name }, server === this.#current ? 1 : 0);
  }

  close(): void {
    clearInterval(this.#looks);
  }

  /** An error is told to whoever needs a connection. */
  #lookAgain(): void {
    if (this.#members.size > 0 || this.#listeners.size > 0) this.#find().catch(() => undefined);
  }

  /** Callers that come while the servers are asked share the answer. */
  #find(): Promise<DatabaseServer> {
    return (this.#finding ??= this.#findOnce().finally(() => {
      this.#finding = null;
    }));
  }

  async #findOnce(): Promise<DatabaseServer> {
    const doubts = this.#doubts;
    const answers = await this.#askAll();
    const chosen = chooseServer(answers, this.attrs, this.#newestTimeline);
    this.#tellStale(answers, Math.max(this.#newestTimeline, chosen?.state.timeline ?? 0));
    if (chosen === null) {
      const why = answers.map((answer) => whyNot(answer, this.attrs, this.#newestTimeline));
      // 08001: the connection could not be established (PostgreSQL, appendix A).
      throw Object.assign(new Error(`no server of the list can be used: ${why.join('; ')}`), {
        code: '08001',
      });
    }
    this.#newestTimeline = Math.max(this.#newestTimeline, chosen.state.timeline ?? 0);
    this.#resolvedDoubts = doubts;
    this.#moveTo(chosen.server);
    return chosen.server;
  }

  /** Asks all servers, the trusted one first in the order of preference. */
  #askAll(): Promise<readonly Answer[]> {
    const current = this.#current;
    const order = current === null ? this.#list : [current, ...this.#list.filter((one) => one !== current)];
    return askAll(order, this.attrs, (server) => askServer(this.connectionString, server));
  }

  #moveTo(server: DatabaseServer): void {
    const previous = this.#current;
    this.#current = server;
    if (previous === null || previous === server) return;
    this.#tell({ kind: 'moved', server: server.name, other: previous.name });
    for (const member of this.#members) if (this.hasMovedFrom(member.server)) member.leave('moved');
  }

  /** Tells once of a former primary that takes writes, until it no longer does. */
  #tellStale(answers: readonly Answer[], newestTimeline: number): void {
    for (const { server, state } of answers) {
      if (state === null) continue;
      if (!isStale(state, this.attrs, newestTimeline)) this.#stale.delete(server.name);
      else if (!this.#stale.has(server.name)) {
        this.#stale.add(server.name);
        this.#tell({ kind: 'stale', server: server.name, other: this.#current?.name ?? '' });
      }
    }
  }

  #tell(change: ServerChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
