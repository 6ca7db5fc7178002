/** The types of columns that many tables have. */
import type { ColumnType } from 'kysely';

/** A jsonb column: read as parsed JSON, written as text. */
export type JsonColumn = ColumnType<unknown, string, string>;
/** A jsonb column that can be null. */
export type OptionalJsonColumn = ColumnType<unknown, string | null | undefined, string | null>;
/** A point in time that the writer sets. */
export type Time = ColumnType<Date, Date | string, Date | string>;
/** A point in time that the database sets by default. */
export type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;
/** A point in time that can be null. */
export type OptionalTime = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
