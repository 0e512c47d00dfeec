import type { Migration } from '@mintmark/server-kit'
import { addReferences, indexReferences } from './reference-columns.ts'

/** Callers' own references of what they create. */
export const references: Migration = {
  id: '0094_references',
  up: `
    ${addReferences('orders')}
    ${indexReferences('orders', { listed: 'not deleted' })}
    ${addReferences('cards')}
    ${indexReferences('cards', { before: ['program'], listed: 'not deleted' })}
  `,
}
