/**
 * The keys of what the account's page reads in the cache. They are no operations, so no event refreshes them.
 */
export const DEVICES_KEY = ['account', 'devices'] as const
export const PASSKEYS_KEY = ['account', 'passkeys'] as const
