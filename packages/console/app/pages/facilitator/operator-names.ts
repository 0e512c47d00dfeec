import { operators } from '@mintmark/admin'
import { useOperation } from '../../api/operations.ts'
import { formatOperator } from './facilitator-format.ts'

/**
 * Returns how the operators of a facilitator are named. They are named by their ids while the names are read,
 * and if they are no operators any more.
 */
export function useOperatorNames(): (actor: string) => string {
  const { data: people = [] } = useOperation(operators.list, {})
  const names = new Map(people.map(({ personId, name }) => [`person:${personId}`, name]))
  return (actor) => names.get(actor) ?? formatOperator(actor)
}

/** Names the person in the reason of a freeze, which begins with the actor. */
export function nameFreezer(frozenReason: string, nameOperator: (actor: string) => string): string {
  return frozenReason.replace(/^person:[\w-]+(?=: )/, nameOperator)
}
