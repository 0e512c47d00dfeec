/** What a person searches settlements by, as fields of the list's input. */
export interface SettlementSearch {
  readonly orderNo?: string
  readonly transaction?: string
  readonly payer?: string
}

/**
 * Reads what a person typed: a transaction or a wallet, of an EVM chain or of Solana, and otherwise the number
 * of an order.
 */
export function readSettlementSearch(text: string): SettlementSearch {
  if (/^0x[0-9a-f]{64}$/i.test(text) || isBase58(text, 64, 88)) return { transaction: text }
  if (readWallet(text) !== undefined || isBase58(text, 32, 44)) return { payer: text }
  return text === '' ? {} : { orderNo: text }
}

/** Whether a text is written like the addresses (32 bytes) and signatures (64 bytes) of Solana. */
const isBase58 = (text: string, least: number, most: number) =>
  text.length >= least && text.length <= most && /^[1-9A-HJ-NP-Za-km-z]+$/.test(text)

/** Reads an id in an address. Undefined for anything else. */
export function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Reads the address of a wallet. Undefined for anything else. */
export function readWallet(text: string): string | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? text : undefined
}
