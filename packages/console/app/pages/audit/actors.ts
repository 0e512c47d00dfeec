import type { ApiKey, Person } from '@mintmark/admin'
import { shortenIdentifier } from '../../format/identifier.ts'
import { auditTexts } from '../../texts/audit.ts'

/** The people and keys by whose names actors are shown. Empty while they are read, and for those who may not read them. */
export interface KnownActors {
  readonly people: readonly Person[]
  readonly keys: readonly ApiKey[]
}

const { actors: texts } = auditTexts

/** Formats the actor of a change, by name if the person or the key belongs to the project. */
export function formatActor(actor: string, { people, keys }: KnownActors): string {
  const place = actor.indexOf(':')
  const kind = place < 0 ? actor : actor.slice(0, place)
  const id = actor.slice(place + 1)
  switch (kind) {
    case 'person':
      return people.find(({ personId }) => personId === id)?.name ?? texts.otherPerson(shortenIdentifier(id))
    case 'key':
      return texts.key(keys.find(({ apiKey }) => apiKey === id)?.name ?? shortenIdentifier(id))
    case 'publishable-key':
      return texts.publishableKey(shortenIdentifier(id))
    case 'job':
      return texts.job(id)
    case 'command':
      return texts.command(id)
    case 'server':
      return texts.server
    case 'unknown':
      return texts.unknown
    default:
      return actor
  }
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
  return all.map((actor) => ({ value: actor, label: formatActor(actor, known) }))
}
