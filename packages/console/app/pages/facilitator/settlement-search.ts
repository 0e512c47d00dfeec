/** What a person searches settlements by, as fields of the list's input. */
export interface SettlementSearch {
  readonly orderNo?: string
  readonly transaction?: string
  readonly payer?: string
}

/**
 * Reads what a person typed: a transaction or a wallet by its length, and otherwise the number of an order.
 */
export function readSettlementSearch(text: string): SettlementSearch {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { transaction: text }
  const payer = readWallet(text)
  if (payer !== undefined) return { payer }
  return text === '' ? {} : { orderNo: text }
}

/** Reads an id in an address. Undefined for anything else. */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Reads the address of a wallet. Undefined for anything else. */
export function readWallet(text: string): string | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text : undefined
}
