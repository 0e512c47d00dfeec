import { t } from '../../language/translate.ts'

/**
 * What the scopes of keys are about. Each has one to read and one to write, except events, which are only
 * read.
 */
const subjects = ['cards', 'contracts', 'market', 'orders', 'wallet', 'webhooks'] as const

/** The scopes that a key can have in the console. Those of people and keys are left to the command line. */
export const keyScopes: readonly string[] = [
  ...subjects.flatMap((subject) => [`${subject}:read`, `${subject}:write`]),
  'cards:verify',
  'events:read',
  'media:write',
]

/** The scopes that a publishable key can have. */
export const publishableScopes: readonly string[] = ['contracts:read', 'market:read']

/** The scopes of what most keys are for. */
export const presetScopes: Readonly<Record<string, readonly string[]>> = {
  shop: ['contracts:read', 'market:read', 'orders:read', 'orders:write', 'events:read'],
  till: ['cards:read', 'cards:verify'],
  accounting: ['orders:read', 'market:read', 'cards:read', 'events:read'],
}

/** What a key may do, as people choose it. */
export const presetOptions = [
  {
    value: 'shop',
    label: t('Shop server'),
    description: t(
      'Reads what is for sale. Places, cancels and refunds orders. A page needs a publishable key.',
    ),
  },
  { value: 'till', label: t('Till'), description: t('Reads cards and redeems them. It sees no codes.') },
  { value: 'accounting', label: t('Accounting'), description: t('Reads orders, sales, cards and events.') },
  {
    value: 'everything',
    label: t('Everything'),
    description: t('All of the shop. It does not manage people, keys or the audit log.'),
  },
  { value: 'own', label: t('Choose myself'), description: t('You choose each scope.') },
]
