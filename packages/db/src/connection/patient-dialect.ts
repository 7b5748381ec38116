import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseConnection, type Driver, PostgresDialect } from 'kysely';

/** How long connections may take to end, in ms: a server that hangs never takes leave of them. */
const endWithinMs = 1_000;

/**
 * Kysely's dialect for Postgres, except that `destroy` waits for connections that are being acquired. Kysely (0.29)
 * forgets its pool first: a query that was waiting for a connection then fails before it gives the connection back, and
 * the pool waits for that one forever. What is still in use then, or hangs, is waited for a second and no longer.
 */
export class PatientPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquiring = new Set<Promise<DatabaseConnection>>();
    const acquire = driver.acquireConnection.bind(driver);
    const destroy = driver.destroy.bind(driver);
    driver.acquireConnection = async (options) => {
      const connection = acquire(options);
      acquiring.add(connection);
      try {
        return await connection;
      } finally {
        acquiring.delete(connection);
      }
    };
    driver.destroy = async (options) => {
      await Promise.allSettled(acquiring);
      await Promise.race([destroy(options), wait(endWithinMs, undefined, { ref: false })]);
    };
    return driver;
  }
}
