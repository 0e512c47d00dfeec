import type { Role } from '@mintmark/admin'
import { t } from '../language/translate.ts'

/** Texts of the frame around all pages, and of components that many pages share. */
export const shellTexts = {
  product: 'Mintmark',
  mainNavigation: t('Main'),
  hiddenArea: {
    title: t('Your role does not include this page'),
    advice: (role: string) => t('Your role is {role}. Ask an owner of the project to change it.', { role }),
  },
  themes: { system: t('System'), light: t('Light'), dark: t('Dark') },
  live: {
    connecting: t('Connecting'),
    live: t('Live'),
    reconnecting: t('Reconnecting'),
    stopped: t('Not live'),
  },
  liveHints: {
    connecting: t('Connecting to the server.'),
    live: t('Pages change as soon as something happens.'),
    reconnecting: t('The connection was lost. Pages may be out of date until it is back.'),
    stopped: t('Pages do not change on their own. Reload the page.'),
  },
  shortcuts: { open: t('Show keyboard shortcuts') },
  loading: t('Loading'),
} as const

export const roleTexts: Readonly<Record<Role, { readonly name: string; readonly description: string }>> = {
  OWNER: { name: t('Owner'), description: t('May do everything, and manages people and API keys.') },
  MANAGER: { name: t('Manager'), description: t('May do everything except manage people and API keys.') },
  STAFF: { name: t('Staff'), description: t('May scan cards, and see what is needed for that.') },
  AUDITOR: { name: t('Auditor'), description: t('May see everything, and change nothing.') },
}

/** Formats a role. A role that a newer server added is shown as it is. */
export function formatRole(role: string): string {
  return roleTexts[role as Role]?.name ?? role
}

export const componentTexts = {
  copy: t('Copy'),
  cancel: t('Cancel'),
  close: t('Close'),
  save: t('Save'),
  paginationOf: (list: string) => t('Pages of {list}', { list }),
  none: '—',
  /** An amount of a token whose decimals are not known. */

  total: t('Total'),
  yes: t('Yes'),
  no: t('No'),
  chartPeriod: t('Period'),
  openInExplorer: t('Open in the block explorer'),
  notFoundTitle: t('Nothing found'),
  notFoundAdvice: t('No item matches the filters.'),
} as const

export const formTexts = {
  required: t('Enter a value'),
  discard: {
    title: t('Discard what you typed?'),
    advice: t('It is not saved.'),
    action: t('Discard'),
    keep: t('Keep editing'),
  },
} as const
