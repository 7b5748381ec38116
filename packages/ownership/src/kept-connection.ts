import type { Db } from '@notify/db/connection';
import {
  type ConnectionState,
  findOwnedAccount,
  type PartitionLease,
  tellConnectionState,
} from '@notify/db/ownership';
import { openAccount } from '@notify/dispatch';
import type { Log, Secrets } from '@notify/runtime';
import type { OwnedConnection } from './connection.ts';

/** An account that is to be connected. */
export interface KeptAccount {
  readonly id: string;
  readonly tenantId: string;
  /** As the tenant gave them. */
  readonly settings: unknown;
}

/** What the holder of one connection may use. */
export interface Hold {
  readonly account: KeptAccount;
  /** Aborted when the connection must end: its account was removed or changed, or another process takes it. */
  readonly signal: AbortSignal;
  /** Writes the state of the connection. No message is claimed unless it is `connected`. Rejects when the lease is lost. */
  readonly tell: (state: ConnectionState) => Promise<void>;
}

export interface KeptConnectionDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  /** A write found that the partition's lease is lost. */
  readonly onLost: (lease: PartitionLease) => void;
  /** The account can send again. */
  readonly onConnected: (accountId: string) => void;
  /**
   * Connects, and connects again when the connection breaks, until the signal is aborted. If it ends or throws before,
   * it is called again within seconds, unless it told `action-required`.
   */
  readonly hold: (hold: Hold) => Promise<void>;
}

interface Task {
  readonly settings: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Keeps one account connected with its present settings: begins again when these change, ends when the account is
 * removed, and waits for new settings while its status is `action-required`.
 */
export class KeptConnection implements OwnedConnection {
  readonly accountId: string;
  private readonly lease: PartitionLease;
  private readonly deps: KeptConnectionDeps;
  private task: Task | null = null;
  /** The status that was told last. */
  private told: ConnectionState['status'] = 'connecting';
  private ended = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(accountId: string, lease: PartitionLease, deps: KeptConnectionDeps) {
    this.accountId = accountId;
    this.lease = lease;
    this.deps = deps;
  }

  /** Looks run one after the other. */
  look(): Promise<void> {
    this.looking = this.looking.catch(() => undefined).then(() => this.lookNow());
    return this.looking;
  }

  async tend(): Promise<void> {
    if (this.task === null) await this.look();
  }

  cut(): void {
    this.ended = true;
    this.task?.stop.abort();
  }

  async end(): Promise<void> {
    this.cut();
    await this.task?.done;
  }

  private async lookNow(): Promise<void> {
    if (this.ended) return;
    const row = await findOwnedAccount(this.deps.db, this.accountId);
    if (row === null || row.status === 'action-required') return this.stop();
    const { settings } = openAccount(this.deps, row);
    const text = JSON.stringify(settings);
    if (this.task?.settings === text) return;
    await this.stop();
    if (!this.ended) await this.holdMessages();
    // The process may have given up the partition meanwhile.
    if (!this.ended) this.begin(text, { id: row.id, tenantId: row.tenantId, settings });
  }

  /** No message is claimed before the next connection is open, however the last one ended. */
  private async holdMessages(): Promise<void> {
    if (this.told === 'connected') await this.tell({ status: 'connecting', detail: null });
  }

  private begin(text: string, account: KeptAccount): void {
    const stop = new AbortController();
    const done = this.holdUntil(stop.signal, account)
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          this.deps.log.tell('connection-failed', { err: error, accountId: this.accountId });
      })
      .finally(() => {
        if (this.task?.stop === stop) this.task = null;
      });
    this.task = { settings: text, stop, done };
  }

  private async holdUntil(signal: AbortSignal, account: KeptAccount): Promise<void> {
    try {
      await this.deps.hold({ account, signal, tell: (state) => this.tell(state) });
    } finally {
      if (!signal.aborted) await this.holdMessages();
    }
  }

  private async stop(): Promise<void> {
    this.task?.stop.abort();
    await this.task?.done;
  }

  private async tell(state: ConnectionState): Promise<void> {
    const { db, onLost, onConnected } = this.deps;
    await demandLease(tellConnectionState(db, this.lease, this.accountId, state), () => onLost(this.lease));
    this.told = state.status;
    if (state.status === 'connected') onConnected(this.accountId);
  }
}

/** Awaits a write that returns whether the lease was held. If it was lost, calls `onLost` and rejects. */
export async function demandLease(write: Promise<boolean>, onLost: () => void): Promise<void> {
  if (await write) return;
  onLost();
  throw new Error('the lease of this connection is lost');
}
