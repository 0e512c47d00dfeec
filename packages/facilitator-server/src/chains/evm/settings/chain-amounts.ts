/** Returns the amount that is set for a chain. Undefined: the default applies. */
export type ChainAmounts = (chainId: number) => bigint | undefined

/**
 * Parses an amount for all chains (`5000000000`), or one by chain (`8453=5000000000,1=100000000000`).
 *
 * @throws Error that names the setting.
 */
export function parseChainAmounts(setting: string, text: string | undefined): ChainAmounts {
  if (text === undefined) return () => undefined
  if (!text.includes('=')) {
    const amount = parseAmount(setting, text.trim())
    return () => amount
  }
  const amounts = new Map<number, bigint>()
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, chainId, amount] = /^([1-9]\d{0,14})=(.*)$/.exec(entry) ?? []
    if (chainId === undefined || amount === undefined)
      throw new Error(`${setting}: expected chain=amount, received ${JSON.stringify(entry)}`)
    if (amounts.has(Number(chainId))) throw new Error(`${setting}: chain ${chainId} is set twice`)
    amounts.set(Number(chainId), parseAmount(setting, amount))
  }
  return (chainId) => amounts.get(chainId)
}

function parseAmount(setting: string, text: string): bigint {
  if (!/^[1-9]\d{0,38}$/.test(text))
    throw new Error(`${setting}: expected a number above 0, received ${JSON.stringify(text)}`)
  return BigInt(text)
}
