import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type Id = GeneratedAlways<number>
export type Time = Generated<Date>
/** numeric(78,0): base units as decimal text. */
export type Amount = ColumnType<string, string, string>
/** A time at which a row changes by itself. A trigger and `pass_times` maintain it. */
export type NextTime = GeneratedAlways<Date | null>
