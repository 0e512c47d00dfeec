import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FiltersOf, ItemOf } from '../../api/lists.ts'
import { getReadKey } from '../../api/operations.ts'
import { type Day, listLastDays } from '../../format/time.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { type DatedListOperation, type PeriodStatistics, readPeriod } from './statistics.ts'

/** The days that the charts of the overview show. */
const CHART_DAYS = 30
/** Earlier days change rarely: an order of yesterday can still be paid. Events refresh only today. */
const EARLIER_STALE_MS = 10 * 60_000

/** Returns the days of the charts. They change at midnight. */
export function useChartDays(now: number): readonly Day[] {
  const today = new Date(now).toDateString()
  return useMemo(() => listLastDays(CHART_DAYS, new Date(today).getTime()), [today])
}

/** The statistics of a list, or the error of reading them. */
export interface DailyStatistics<Item> {
  readonly data: PeriodStatistics<Item> | undefined
  readonly error: Error | null
}

/** Reads the statistics of a list: the earlier days rarely, and today again after each event that affects the list. */
export function useDailyStatistics<O extends DatedListOperation>(
  operation: O,
  filters: FiltersOf<O>,
  days: readonly Day[],
): DailyStatistics<ItemOf<O>> {
  const { gateway, projectId } = useProjectGateway()
  const earlierDays = days.slice(0, -1)
  const today = days.slice(-1)
  const earlier = useQuery({
    queryKey: ['statistics', projectId, operation.id, filters, earlierDays],
    queryFn: ({ signal }) => readPeriod(gateway, { operation, filters, days: earlierDays }, signal),
    staleTime: EARLIER_STALE_MS,
  })
  const current = useQuery({
    queryKey: getReadKey(projectId, operation, { ...filters, days: today }),
    queryFn: ({ signal }) => readPeriod(gateway, { operation, filters, days: today }, signal),
  })
  const data = useMemo(() => joinStatistics(earlier.data, current.data), [earlier.data, current.data])
  return { data, error: earlier.error ?? current.error }
}

function joinStatistics<Item>(
  earlier: PeriodStatistics<Item> | undefined,
  current: PeriodStatistics<Item> | undefined,
): PeriodStatistics<Item> | undefined {
  if (earlier === undefined || current === undefined) return undefined
  const hasItems = earlier.items !== undefined && current.items !== undefined
  return {
    counts: [...earlier.counts, ...current.counts],
    items: hasItems ? [...(earlier.items ?? []), ...(current.items ?? [])] : undefined,
  }
}
