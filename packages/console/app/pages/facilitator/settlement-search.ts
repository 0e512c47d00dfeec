/** What a person searches settlements by, as fields of the list's input. */
export interface SettlementSearch {
  readonly orderNo?: string
  readonly transaction?: string
  readonly payer?: string
}

/** Reads what a person typed: a transaction or a wallet by its length, and otherwise the number of an order. */
export function readSettlementSearch(text: string): SettlementSearch {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { transaction: text }
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { payer: text }
  return text === '' ? {} : { orderNo: text }
}

/** Reads an id in an address. Undefined for anything else. */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
