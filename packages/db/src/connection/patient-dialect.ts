import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseConnection, type Driver, PostgresDialect, type PostgresDialectConfig } from 'kysely';
import type { PoolMeter } from './pool-metrics.ts';

/** How long connections may take to end, in ms. A server that hangs would never close them. */
const endWithinMs = 1_000;

/**
 * Kysely's dialect for Postgres, except that `destroy` waits for connections that are being acquired. Kysely (0.29)
 * forgets its pool first: a query that waits for a connection then fails before it gives the connection back, and the
 * pool waits for that connection forever. `destroy` waits at most a second for connections that are in use or hang.
 */
export class PatientPostgresDialect extends PostgresDialect {
  readonly #meter: PoolMeter;

  constructor(config: PostgresDialectConfig, meter: PoolMeter) {
    super(config);
    this.#meter = meter;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const meter = this.#meter;
    const acquiring = new Set<Promise<DatabaseConnection>>();
    const acquire = driver.acquireConnection.bind(driver);
    const destroy = driver.destroy.bind(driver);
    driver.acquireConnection = async (options) => {
      const began = performance.now();
      const connection = acquire(options);
      acquiring.add(connection);
      try {
        const acquired = await connection;
        meter.waited(performance.now() - began);
        return acquired;
      } catch (error) {
        meter.failed(error);
        throw error;
      } finally {
        acquiring.delete(connection);
      }
    };
    driver.destroy = async (options) => {
      await Promise.allSettled(acquiring);
      await Promise.race([destroy(options), wait(endWithinMs, undefined, { ref: false })]);
      meter.close();
    };
    return driver;
  }
}
