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
      return `API key ${shortenIdentifier(id)}`
    case 'publishable-key':
      return `publishable key ${shortenIdentifier(id)}`
    case 'person':
      return `person ${shortenIdentifier(id)}`
    case 'job':
      return `the job “${id}”`
    case 'command':
      return `the command ${id}`
    case 'server':
      return 'the server'
    case 'unknown':
      return 'unknown'
    default:
      return actor
  }
}
