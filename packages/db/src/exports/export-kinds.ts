import type { RawBuilder } from 'kysely';

/**
 * How each kind of rows is read, as the tenant can read them: ids as in the API, and columns that are named one by one. So a
 * new column with a secret is in no export.
 */
export type ExportKinds = Readonly<Record<string, (tenantId: string) => RawBuilder<object>>>;
