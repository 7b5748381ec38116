import type { ColumnType } from 'kysely';

/** A time that the database fills in when the row is made. */
export type Time = ColumnType<Date, Date | string | undefined, Date | string>;
/** A time that may be unknown. */
export type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** Encrypted text, bound to its row and column. Each such column is listed in `sealedColumns` too. */
export type Sealed = string;
