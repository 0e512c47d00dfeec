import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type Id = GeneratedAlways<number>
export type Time = Generated<Date>
/** numeric(78,0): base units as decimal text. */
export type Amount = ColumnType<string, string, string>
