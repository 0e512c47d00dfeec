import { eventTypes } from '@mintmark/events'
import type { Option } from '../components/field.tsx'
import { t } from '../language/translate.ts'

/** A type of event with what it means. */
export interface EventTypeInfo {
  readonly type: string
  readonly description: string
}

/** Types whose names begin with the same word. */
export interface EventTypeGroup {
  /** The word, such as `order`. */
  readonly group: string
  readonly types: readonly EventTypeInfo[]
}

const descriptions = new Map(Object.entries(eventTypes).map(([type, { description }]) => [type, description]))

/** Returns what a type of event means; undefined for a type that a newer server added. */
export function describeEventType(type: string): string | undefined {
  return descriptions.get(type)
}

/** Lists the types of events by their groups. */
export function listTypeGroups(): readonly EventTypeGroup[] {
  const groups = new Map<string, EventTypeInfo[]>()
  for (const [type, description] of descriptions) {
    const [group = ''] = type.split('.')
    groups.set(group, [...(groups.get(group) ?? []), { type, description }])
  }
  return [...groups].map(([group, types]) => ({ group, types }))
}

/** Lists the patterns and the types to filter by. The selected value is always one of them. */
export function listTypeOptions(selected: string): readonly Option[] {
  const options = listTypeGroups().flatMap(({ group, types }) => [
    ...(types.length > 1 ? [{ value: `${group}.*`, label: t('All of {group}.*', { group }) }] : []),
    ...types.map(({ type }) => ({ value: type, label: type })),
  ])
  const isListed = selected === '' || options.some(({ value }) => value === selected)
  return isListed ? options : [{ value: selected, label: selected }, ...options]
}
