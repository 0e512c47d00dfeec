/**
 * Converts a name of an operation, a group or a field to the form of the command line: `promoCodeCards` to
 * `promo-code-cards`.
 */
export function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

/** Shorter names of groups. */
const GROUP_ALIASES: Readonly<Record<string, string>> = {
  promoCodeCards: 'promo-codes',
  membershipCards: 'memberships',
  commemorativeCards: 'commemoratives',
  walletInfo: 'wallet',
  productCards: 'products',
  payerQuotas: 'quotas',
}

/** Shorter names of operations, as shells have them. */
const OPERATION_ALIASES: Readonly<Record<string, string>> = { list: 'ls', remove: 'rm' }

export function findGroupAlias(group: string): string | undefined {
  return GROUP_ALIASES[group]
}

export function findOperationAlias(operation: string): string | undefined {
  return OPERATION_ALIASES[operation]
}
