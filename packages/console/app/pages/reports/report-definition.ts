import type { UseQueryResult } from '@tanstack/react-query'
import type { EmptyTexts } from '../../components/empty.tsx'
import { formatActor } from '../../format/actor.ts'
import { formatCount } from '../../format/number.ts'
import { formatDate, formatMonth } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import type { Days } from './report-periods.ts'

/** What reports can add up, with the names of the columns. */
export const BY = {
  day: t('Day'),
  month: t('Month'),
  item: t('Item'),
  store: t('Store'),
  campaign: t('Campaign'),
  person: t('Person'),
} as const
export type By = keyof typeof BY

/** A column of the table and of the file. */
export interface ReportColumn<Row> {
  readonly label: string
  /** The text of the file. */
  readonly value: (row: Row) => string
  /** The text of the table. Default: that of the file. `false`: the table has no such column. */
  readonly show?: ((row: Row) => string) | false
  /** The number of the total that a figure compares, approximately. Default: the column has no figure. */
  readonly figure?: (row: Row) => number
  /** Whether it has no numbers. */
  readonly isText?: boolean
}

/** A report as data. */
export interface Report<Row extends Group> {
  readonly title: string
  readonly description: string
  /** A hook that reads the report of some days. */
  readonly useRows: (by: By, days: Days) => UseQueryResult<readonly Row[]>
  /** The columns after those that say what a row adds up. */
  readonly columns: readonly ReportColumn<Row>[]
  /** What may be added up with the row: another part of the report has the others. */
  readonly getPart: (row: Row) => string
  readonly namePart: (row: Row) => string
  /** Adds up rows of the part that a row belongs to. */
  readonly addUp: (rows: readonly Row[], part: Row) => Row
  readonly empty: EmptyTexts
}

/** Creates a column of counts. */
export const createCount = <Row>(
  label: string,
  read: (row: Row) => number,
  hasFigure = true,
): ReportColumn<Row> => ({
  label,
  value: (row) => String(read(row)),
  show: (row) => formatCount(read(row)),
  ...(hasFigure && { figure: read }),
})

/** What a row adds up. */
export interface Group {
  readonly group: string
  readonly name: string
}

/** Lists the columns that say what a row adds up: a day or a month, or a name, and its id in the file. */
export function listGroupColumns(by: By): readonly ReportColumn<Group>[] {
  const show = (row: Group) => formatGroup(by, row)
  const getGroup = ({ group }: Group) => group
  if (by === 'day' || by === 'month') return [{ label: BY[by], value: getGroup, show, isText: true }]
  return [
    { label: BY[by], value: show, isText: true },
    { label: 'ID', value: getGroup, show: false },
  ]
}

const UNNAMED = { item: t('Unnamed token'), store: t('No store'), campaign: t('Other cards') } as const

function formatGroup(by: By, { group, name }: Group): string {
  // A day is at noon the same in each time zone of its place.
  if (by === 'day') return formatDate(`${group}T12:00:00`)
  if (by === 'month') return formatMonth(`${group}-15T12:00:00`)
  if (by !== 'person') return name === '' ? UNNAMED[by] : name
  // Several people use the key of a till, which names them.
  if (name === '') return formatActor(group)
  return group.startsWith('person:') ? name : `${name}, ${formatActor(group)}`
}
