import { callbackify } from 'node:util';
import type { DatabaseServer } from '@notify/core';
import { metrics } from '@notify/telemetry';
import pg from 'pg';
import { stateQuery } from './ask-server.ts';
import { fits, isOfOne, kindOf, type ServerState } from './choose-server.ts';
import { inTime, timedOut } from './in-time.ts';
import type { LostReason, Servers } from './servers.ts';

/** A client that can be told that its connection is of no use. */
export interface ServerClient extends pg.Client {
  /** Ends the connection at once. Its statements fail as when the server is away, and its pool drops it. */
  leave(reason: LostReason): void;
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/** SQLSTATEs after which a connection is of no use: read-only, the server ends, the connection failed. */
const final = /^(25006|57P0[123]|08)/;

const reasons: readonly LostReason[] = ['read_only', 'terminated', 'moved', 'timeout', 'broken'];

/**
 * The class of the clients that connect to whichever of these servers fits, and leave it when it no longer does. They
 * read what the server sends anyway, so no statement costs more. `pool` names them in the metrics.
 */
export function clientOf(servers: Servers, pool: string): new (config?: pg.ClientConfig) => ServerClient {
  for (const reason of reasons) metrics.servers.lost.inc({ pool, reason }, 0);

  return class extends pg.Client implements ServerClient {
    readonly #timeoutMs: number;
    /** `in_hot_standby` and `default_transaction_read_only`, which a server reports at the start and when they change. */
    readonly #reported = new Map<string, string>();
    #server: DatabaseServer | null = null;
    #remove: (() => void) | null = null;
    #isOver = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      this.#timeoutMs = config?.connectionTimeoutMillis ?? 0;
      // Each failed statement is told to its caller. An `error` without a listener would end the process.
      this.on('error', () => undefined);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      if (callback === undefined) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | void {
      this.#isOver = true;
      this.#remove?.();
      return callback === undefined ? super.end() : super.end(callback);
    }

    leave(reason: LostReason): void {
      if (this.#isOver) return;
      metrics.servers.lost.inc({ pool, reason });
      this.connection.stream.destroy(givenUp(reason));
      void this.end();
      servers.doubt();
    }

    async #connect(): Promise<pg.Client> {
      const server = await this.#inTime(servers.pick());
      // The pool has given up meanwhile.
      if (this.connection.stream.destroyed) throw timedOut();
      if (server !== null) {
        this.#server = server;
        this.host = server.host;
        this.port = server.port;
      }
      this.#watch();
      try {
        await super.connect();
        await this.#demandFit();
        if (servers.hasMovedFrom(server)) throw givenUp('moved');
      } catch (error) {
        void this.end();
        servers.doubt();
        throw error;
      }
      if (!this.#isOver) this.#remove = servers.add({ server, leave: (reason) => this.leave(reason) });
      return this;
    }

    #inTime<T>(work: Promise<T>): Promise<T> {
      return this.#timeoutMs <= 0 ? work : inTime(work, this.#timeoutMs);
    }

    #watch(): void {
      const { connection } = this;
      connection.on(
        'parameterStatus',
        ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
          this.#reported.set(parameterName, parameterValue);
          if (this.#remove !== null && this.#saysReadOnly()) this.#leaveAll('read_only');
        },
      );
      connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
        if (this.#remove === null || !final.test(code)) return;
        // Whoever waits for the statement hears of this error first.
        queueMicrotask(() => (code === '25006' ? this.#leaveAll('read_only') : this.leave('terminated')));
      });
      connection.once('end', () => {
        if (this.#remove === null || this.#isOver) return;
        metrics.servers.lost.inc({ pool, reason: 'broken' });
        this.#isOver = true;
        this.#remove();
        servers.doubt();
      });
    }

    /** What one connection has learnt of its server is true of all others. */
    #leaveAll(reason: LostReason): void {
      servers.leave(this.#server, reason);
    }

    #saysReadOnly(): boolean {
      if (servers.attrs !== 'read-write') return false;
      return [...this.#reported].some(([name, value]) => isReadOnlySign(name) && value === 'on');
    }

    /**
     * Rejects unless the server fits. A server that reports that it takes writes is believed; any other is asked. A
     * pooler repeats what its first server reported, which may be long ago.
     */
    async #demandFit(): Promise<void> {
      const { attrs } = servers;
      if (attrs === 'any' || attrs === 'prefer-standby') return;
      const isPrimary = ['in_hot_standby', 'default_transaction_read_only'].every(
        (name) => this.#reported.get(name) === 'off',
      );
      if (isOfOne(attrs) && isPrimary) return;
      const { rows } = await super.query<Omit<ServerState, 'timeline'>>(stateQuery);
      const state = rows[0]!;
      if (fits(state, attrs)) return;
      const name = this.#server?.name ?? 'the server';
      // 25006: read-only (PostgreSQL, appendix A), which says to wait.
      throw Object.assign(new Error(`${name} is ${kindOf(state)}; wanted: ${attrs}`), { code: '25006' });
    }
  };
}

function isReadOnlySign(name: string): boolean {
  return name === 'in_hot_standby' || name === 'default_transaction_read_only';
}

/** 08006: the connection failed (PostgreSQL, appendix A), which says to wait. */
function givenUp(reason: LostReason): Error {
  return Object.assign(new Error(`the connection was given up: ${reason.replace('_', '-')}`), {
    code: '08006',
  });
}
