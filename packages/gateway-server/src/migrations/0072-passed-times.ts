import type { Migration } from '@mintmark/server-kit'
import { addTimeColumns } from './timed-tables.ts'

/**
 * Records the times at which rows change by themselves: a card expires, a listing starts, a phase begins.
 * Each is an event.
 */
export const passedTimes: Migration = {
  id: '0072_passed_times',
  up: addTimeColumns,
}
