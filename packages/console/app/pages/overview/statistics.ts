import type { Page } from '@mintmark/envelope'
import type { GatewayClient, InputOf } from '@mintmark/operation'
import type { FiltersOf, ItemOf, ListOperation } from '../../api/lists.ts'
import { callOperation } from '../../api/operations.ts'
import type { Day } from '../../format/time.ts'

/** A list whose items have a creation time, and which can be limited to a range of them. */
export type DatedListOperation = ListOperation & {
  readonly '~types'?: { input: { from?: string | undefined; to?: string | undefined } }
}

/** What a list has of a period. */
export interface PeriodStatistics<Item> {
  /** The number of items of each day. */
  readonly counts: readonly number[]
  /** All items; undefined if there are more than {@link MAX_ITEMS}. */
  readonly items: readonly Item[] | undefined
}

/** The most items that are read to add them up. Beyond that, the server counts each day. */
export const MAX_ITEMS = 1000
const PAGE_SIZE = 100
/** The server allows a person ten calls at a time, of which the rest of the page needs some. */
const CONCURRENT_CALLS = 4

interface PeriodRequest<O> {
  readonly operation: O
  readonly filters: FiltersOf<O>
  /** Days without gaps, oldest first. */
  readonly days: readonly Day[]
}

/** Reads a list over a period: its items if there are few, otherwise how many there are on each day. */
export async function readPeriod<O extends DatedListOperation>(
  gateway: GatewayClient,
  { operation, filters, days }: PeriodRequest<O>,
  signal: AbortSignal,
): Promise<PeriodStatistics<ItemOf<O>>> {
  const readPage = async (input: object): Promise<Page<ItemOf<O>>> => {
    const whole = { ...filters, ...input } as InputOf<O>
    const page = await callOperation(gateway, operation, whole, { signal })
    // The operation is a list, so its data is a page of its items.
    return page as Page<ItemOf<O>>
  }
  const range = { from: days[0]?.from, to: days.at(-1)?.to }
  const first = await readPage({ ...range, pageSize: PAGE_SIZE })
  if (first.totalRow > MAX_ITEMS) {
    const countDay = async (day: Day) => (await readPage({ ...day, pageSize: 1 })).totalRow
    return { counts: await mapConcurrently(days, CONCURRENT_CALLS, countDay), items: undefined }
  }
  const items = [...first.list]
  for (let page = first; !page.lastPage; ) {
    const { next } = page.paras
    page = await readPage({ ...range, pageSize: PAGE_SIZE, pageNumber: page.pageNumber + 1, cursor: next })
    items.push(...page.list)
  }
  return { counts: countByDay(items, days), items }
}

/** Counts items by the day of their creation. */
export function countByDay(items: readonly unknown[], days: readonly Day[]): readonly number[] {
  return groupByDay(items, days).map(({ length }) => length)
}

/** Groups items by the day of their creation. Items of other days are left out. */
export function groupByDay<Item>(items: readonly Item[], days: readonly Day[]): readonly (readonly Item[])[] {
  const groups: Item[][] = days.map(() => [])
  const limits = days.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const)
  for (const item of items) {
    const time = Date.parse(getCreateTime(item))
    const index = limits.findIndex(([from, to]) => time >= from && time < to)
    groups[index]?.push(item)
  }
  return groups
}

function getCreateTime(item: unknown): string {
  return item instanceof Object && 'createTime' in item ? String(item.createTime) : ''
}

/** Calls a function for each value, with at most `count` calls at a time. Returns the results in the order of the values. */
async function mapConcurrently<Value, Result>(
  values: readonly Value[],
  count: number,
  run: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>()
  const waiting = [...values.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, value] = next
      results.set(index, await run(value))
    }
  }
  await Promise.all(Array.from({ length: count }, work))
  return values.flatMap((_, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}
