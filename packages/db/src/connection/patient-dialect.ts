import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseConnection, type Driver, PostgresDialect, type PostgresDialectConfig } from 'kysely';
import { inTime } from '../servers/in-time.ts';
import type { PoolMeter } from './pool-metrics.ts';

/** How long connections may take to end, in ms. A server that hangs would never close them. */
const endWithinMs = 1_000;

/**
 * Kysely's dialect for Postgres, except for two things.
 *
 * - A statement waits for a connection for at most `waitMs`, if given. What it waited for goes on without it: when each
 *   statement took its connection away with it, a busy machine would open connections again and again and never get one.
 * - `destroy` waits for connections that are being acquired. Kysely (0.29) forgets its pool first: a query that waits
 *   for a connection then fails before it gives the connection back, and the pool waits for that connection forever.
 *   `destroy` waits at most a second for connections that are in use, hang, or are opened for nobody.
 */
export class PatientPostgresDialect extends PostgresDialect {
  readonly #meter: PoolMeter;
  readonly #waitMs: number | null;

  constructor(config: PostgresDialectConfig, meter: PoolMeter, waitMs: number | null = null) {
    super(config);
    this.#meter = meter;
    this.#waitMs = waitMs;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const meter = this.#meter;
    const waitMs = this.#waitMs;
    const wanted = new Set<Promise<DatabaseConnection>>();
    const unwanted = new Set<Promise<void>>();
    const acquire = driver.acquireConnection.bind(driver);
    const destroy = driver.destroy.bind(driver);
    function giveUp(connection: Promise<DatabaseConnection>): void {
      const released = connection
        .then((acquired) => driver.releaseConnection(acquired))
        .catch(() => undefined)
        .finally(() => unwanted.delete(released));
      unwanted.add(released);
    }
    driver.acquireConnection = async (options) => {
      const began = performance.now();
      const acquiring = acquire(options);
      const connection = waitMs === null ? acquiring : inTime(acquiring, waitMs, giveUp);
      wanted.add(connection);
      try {
        const acquired = await connection;
        meter.waited(performance.now() - began);
        return acquired;
      } catch (error) {
        meter.failed(error);
        throw error;
      } finally {
        wanted.delete(connection);
      }
    };
    driver.destroy = async (options) => {
      await Promise.allSettled(wanted);
      const ended = Promise.all(unwanted).then(() => destroy(options));
      await Promise.race([ended, wait(endWithinMs, undefined, { ref: false })]);
      meter.close();
    };
    return driver;
  }
}
