import { formatActor } from '../../format/actor.ts'
import { formatDate, formatMonth } from '../../format/time.ts'
import { reportTexts } from '../../texts/reports.ts'

/** What a row of a report adds up. */
export interface Group {
  readonly group: string
  readonly name: string
}

/** Formats what a row adds up, for the table. */
export function formatGroup(by: keyof typeof reportTexts.by, { group, name }: Group): string {
  // A day is at noon the same in each time zone of its place.
  if (by === 'day') return formatDate(`${group}T12:00:00`)
  if (by === 'month') return formatMonth(`${group}-15T12:00:00`)
  if (by === 'person') return formatPerson(group, name)
  const [, , nftId = ''] = by === 'item' ? group.split('/') : []
  return name === '' ? `${reportTexts.unnamed[by]} ${nftId}`.trim() : name
}

/** Formats who scanned: a person, or whom a till named, whose key several people use. */
function formatPerson(actor: string, name: string): string {
  if (name === '') return formatActor(actor)
  return actor.startsWith('person:') ? name : `${name}, ${formatActor(actor)}`
}

/** Whether rows are the same ones in each period, so that each can be compared with itself. */
export const isComparable = (by: keyof typeof reportTexts.by): boolean => by !== 'day' && by !== 'month'

/** Returns the cells of a file that say what a row adds up: a day or a month, or a name and an id. */
export const toGroupCells = (by: keyof typeof reportTexts.by, row: Group): readonly string[] =>
  isComparable(by) ? [formatGroup(by, row), row.group] : [row.group]

/** The names of these cells. */
export const toGroupLabels = (by: keyof typeof reportTexts.by): readonly string[] =>
  isComparable(by) ? [reportTexts.by[by], 'ID'] : [reportTexts.by[by]]

/** Returns what identifies a row among the others. */
export const getGroupKey = ({ group, name }: Group): string => `${group} ${name}`
