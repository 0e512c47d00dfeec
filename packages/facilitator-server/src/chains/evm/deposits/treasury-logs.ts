import type { NodeLog } from '@mintmark/evm-reader'
import { type TransactionReceipt, toEventSelector, toHex } from 'viem'
import type { ObservedDeposit, Treasury, Withdrawal } from './deposit-store.ts'

/** The treasury's deposits and withdrawals in some blocks, in the order of the chain. */
export interface TreasuryLogs {
  readonly deposits: readonly ObservedDeposit[]
  readonly withdrawals: readonly Withdrawal[]
  /**
   * Deposits of 0, or without an amount, for which the ledger has no entries. Other treasury contracts may
   * report them.
   */
  readonly worthless: readonly Pick<ObservedDeposit, 'hash' | 'blockNumber'>[]
}

const DEPOSITED = toEventSelector('Deposited(address,uint256)')
const WITHDRAWN = toEventSelector('Withdrawn(address,uint256)')
const EVENTS = [DEPOSITED, WITHDRAWN]

/** Selects the logs of the treasury contract at `address`. */
export const toTreasuryFilter = (address: string) => ({
  addresses: [address],
  topics: [EVENTS],
})

/** Decodes logs of the treasury. */
export function decodeTreasuryLogs(chainId: number, logs: readonly NodeLog[]): TreasuryLogs {
  const positions = new Map<string, number>()
  const deposits: ObservedDeposit[] = []
  const withdrawals: Withdrawal[] = []
  const worthless: { hash: string; blockNumber: bigint }[] = []
  for (const log of logs) {
    const [event, indexed = ''] = log.topics
    const location = readPosition(log)
    const key = `${event}/${location.hash}`
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    const wallet = `0x${indexed.slice(26).toLowerCase()}`
    const amount = readAmount(log.data)
    if (event === WITHDRAWN) withdrawals.push({ ...location, position, recipient: wallet, amount })
    else if (amount === 0n) worthless.push({ hash: location.hash, blockNumber: location.blockNumber })
    else deposits.push({ chainId, ...location, position, payer: wallet, amount, lost: false })
  }
  return { deposits, withdrawals, worthless }
}

/** Decodes the treasury's logs of a transaction. */
export function decodeTreasuryReceipt(
  { chainId, address }: Treasury,
  { logs }: Pick<TransactionReceipt, 'logs'>,
): TreasuryLogs {
  const ofTreasury = logs.filter(
    (log) => log.address.toLowerCase() === address && EVENTS.includes(log.topics[0] ?? '0x'),
  )
  const unformatted = ofTreasury.map((log) => ({
    ...log,
    blockNumber: toHex(log.blockNumber),
    logIndex: toHex(log.logIndex),
    blockTimestamp: null,
  }))
  return decodeTreasuryLogs(chainId, unformatted)
}

/**
 * Reads the amount of a log. 0 for data that is not one word, so that a contract's unusual event does not
 * stop the reading of deposits.
 */
const readAmount = (data: string): bigint => (/^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : 0n)

function readPosition({ transactionHash, blockHash, blockNumber, logIndex }: NodeLog) {
  if (!transactionHash || !blockHash || !blockNumber || !logIndex)
    throw new Error('The node returned a log of a final block without its position on the chain')
  return {
    hash: transactionHash,
    logIndex: Number(logIndex),
    blockNumber: BigInt(blockNumber),
    blockHash,
  }
}
