import type { ApiKey, Person } from '@mintmark/admin'
import { formatActor } from '../../format/actor.ts'
import { t } from '../../language/translate.ts'

/**
 * The people and keys by whose names actors are shown. Empty while they are read, and for those who may not
 * read them.
 */
export interface KnownActors {
  readonly people: readonly Pick<Person, 'personId' | 'name'>[]
  readonly keys: readonly ApiKey[]
}

/** Formats the actor of a change, by name if the person or the key belongs to the project. */
export function formatKnownActor(actor: string, { people, keys }: KnownActors): string {
  const person = people.find(({ personId }) => actor === `person:${personId}`)
  if (person !== undefined) return person.name
  const key = keys.find(({ apiKey }) => actor === `key:${apiKey}`)
  return key === undefined ? formatActor(actor) : t('API key {name}', { name: key.name })
}

/** Lists the actors to filter by, by name. The selected one is always among them. */
export function listActorOptions(
  known: KnownActors,
  selected: string,
): readonly { readonly value: string; readonly label: string }[] {
  const actors = [
    ...known.people.map(({ personId }) => `person:${personId}`),
    ...known.keys.map(({ apiKey }) => `key:${apiKey}`),
    'server',
  ]
  const all = selected === '' || actors.includes(selected) ? actors : [selected, ...actors]
  return all.map((actor) => ({ value: actor, label: formatKnownActor(actor, known) }))
}
