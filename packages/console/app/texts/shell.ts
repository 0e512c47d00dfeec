import type { Role } from '@mintmark/admin'

/** Texts of the frame around all pages, and of components that many pages share. */
export const shellTexts = {
  product: 'Mintmark',
  mainNavigation: 'Main',
  hiddenArea: {
    title: 'Your role does not include this page',
    advice: (role: string) => `Your role is ${role}. Ask an owner of the project to change it.`,
  },
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  live: {
    connecting: 'Connecting',
    live: 'Live',
    reconnecting: 'Reconnecting',
    stopped: 'Not live',
  },
  liveHints: {
    connecting: 'Connecting to the server.',
    live: 'Pages change as soon as something happens.',
    reconnecting: 'The connection was lost. Pages may be out of date until it is back.',
    stopped: 'Pages do not change on their own. Reload the page.',
  },
  shortcuts: { open: 'Show keyboard shortcuts' },
  loading: 'Loading',
} as const

export const roleTexts: Readonly<Record<Role, { readonly name: string; readonly description: string }>> = {
  OWNER: { name: 'Owner', description: 'May do everything, and manages people and API keys.' },
  MANAGER: { name: 'Manager', description: 'May do everything except manage people and API keys.' },
  STAFF: { name: 'Staff', description: 'May scan cards, and see what is needed for that.' },
  AUDITOR: { name: 'Auditor', description: 'May see everything, and change nothing.' },
}

/** Formats a role. A role that a newer server added is shown as it is. */
export function formatRole(role: string): string {
  return roleTexts[role as Role]?.name ?? role
}

export const componentTexts = {
  copy: 'Copy',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  paginationOf: (list: string) => `Pages of ${list}`,
  none: '—',
  /** An amount of a token whose decimals are not known. */
  baseUnits: (amount: string) => `${amount} base units of`,
  total: 'Total',
  yes: 'Yes',
  no: 'No',
  chartPeriod: 'Period',
  openInExplorer: 'Open in the block explorer',
  notFoundTitle: 'Nothing found',
  notFoundAdvice: 'No item matches the filters.',
} as const

export const formTexts = {
  required: 'Enter a value',
  discard: {
    title: 'Discard what you typed?',
    advice: 'It is not saved.',
    action: 'Discard',
    keep: 'Keep editing',
  },
} as const
