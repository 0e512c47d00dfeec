import type { EventTypeGroup } from '../../form/event-type-options.ts'

/** Returns the pattern of all types of a group. */
export function toPattern({ group }: EventTypeGroup): string {
  return `${group}.*`
}

/** Whether a webhook with these types and patterns receives all types of a group. */
export function isGroupChosen(chosen: readonly string[], group: EventTypeGroup): boolean {
  return chosen.includes(toPattern(group)) || chosen.includes('*')
}

/** Lists the types of a group that a webhook with these types and patterns receives. */
export function listChosenTypes(chosen: readonly string[], group: EventTypeGroup): readonly string[] {
  const types = group.types.map(({ type }) => type)
  return isGroupChosen(chosen, group) ? types : types.filter((type) => chosen.includes(type))
}

/** Adds a type or a pattern to a choice, or removes it. The pattern of a group replaces its types. */
export function choose(
  chosen: readonly string[],
  group: EventTypeGroup,
  { name, isChosen }: { readonly name: string; readonly isChosen: boolean },
): readonly string[] {
  if (!isChosen) return chosen.filter((each) => each !== name)
  const isReplaced = (each: string) =>
    name === toPattern(group) && group.types.some(({ type }) => type === each)
  return [...chosen.filter((each) => each !== name && !isReplaced(each)), name]
}
