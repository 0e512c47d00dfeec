import { t } from '../language/translate.ts'
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
      return t('API key {id}', { id: shortenIdentifier(id) })
    case 'publishable-key':
      return t('publishable key {id}', { id: shortenIdentifier(id) })
    case 'person':
      return t('person {id}', { id: shortenIdentifier(id) })
    case 'job':
      return t('the job “{id}”', { id })
    case 'command':
      return t('the command {id}', { id })
    case 'server':
      return t('the server')
    case 'unknown':
      return t('unknown')
    default:
      return actor
  }
}
