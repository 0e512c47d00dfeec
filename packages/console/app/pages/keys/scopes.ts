/**
 * What the scopes of keys are about. Each has one to read and one to write, except events, which are only
 * read.
 */
const subjects = ['cards', 'contracts', 'market', 'orders', 'wallet', 'webhooks'] as const

/** The scopes that a key can have in the console. Those of people and keys are left to the command line. */
export const keyScopes: readonly string[] = [
  ...subjects.flatMap((subject) => [`${subject}:read`, `${subject}:write`]),
  'events:read',
]

/** The scopes that a publishable key can have. */
export const publishableScopes: readonly string[] = ['contracts:read', 'market:read']
