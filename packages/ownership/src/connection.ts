import type { PartitionLease } from '@notify/db/ownership';

/** One account's connection, while this process holds its partition. It does nothing before the first `look`. */
export interface OwnedConnection {
  /** Reads the account's row and acts on it. Called at every turn of the account, and for changes. Waits for no network. */
  look(): Promise<void>;
  /** Called every few seconds. */
  tend(): Promise<void>;
  /** Ends the connection before it returns, for good. */
  cut(): void;
  /** Ends the connection for good, and waits for its writes. */
  end(): Promise<void>;
}

/** Makes the connection of an account. `lease` fences its writes. */
export type CreateConnection<C extends OwnedConnection> = (accountId: string, lease: PartitionLease) => C;
