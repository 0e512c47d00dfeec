/**
 * Converts a decimal amount to a value of the columns `price_key` and `total_key`, whose order is that of the
 * amounts.
 */
export function toOrderKey(amount: string): string {
  const digits = BigInt(amount).toString()
  return `${String(digits.length).padStart(2, '0')}${digits}`
}
