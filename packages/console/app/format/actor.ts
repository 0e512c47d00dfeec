import { actorTexts } from '../texts/actors.ts'
import { shortenIdentifier } from './identifier.ts'

/**
 * Formats who made a change, as the audit log names it.
 *
 * @example formatActor('key:mk_Zcz…fPVg') // 'API key mk_Zcz…fPVg'
 */
export function formatActor(actor: string): string {
  const [, kind, id = ''] = /^([a-z-]+)(?::(.*))?$/s.exec(actor) ?? []
  switch (kind) {
    case 'key':
      return actorTexts.key(shortenIdentifier(id))
    case 'publishable-key':
      return actorTexts.publishableKey(shortenIdentifier(id))
    case 'person':
      return actorTexts.person(shortenIdentifier(id))
    case 'job':
      return actorTexts.job(id)
    case 'command':
      return actorTexts.command(id)
    case 'server':
      return actorTexts.server
    case 'unknown':
      return actorTexts.unknown
    default:
      return actor
  }
}
