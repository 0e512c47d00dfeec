/** Formats base units as a decimal number: `1500000` with 6 decimals is `1.5`. */
export function formatAmount(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/**
 * Formats the name of what is paid with. The address of a token decides, because its symbol can be anything.
 */
export function formatToken({ payTokenAddress }: { readonly payTokenAddress: string }): string {
  return payTokenAddress === '' ? 'ETH' : `of token ${payTokenAddress}`
}
