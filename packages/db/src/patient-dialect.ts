import { type DatabaseConnection, type Driver, PostgresDialect } from 'kysely';

/**
 * Kysely's dialect for Postgres, except that `destroy` waits for connections that are being acquired. Kysely (0.29)
 * forgets its pool first: a query that was waiting for a connection then fails before it gives the connection back, and
 * the pool waits for that one forever.
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
      await destroy(options);
    };
    return driver;
  }
}
