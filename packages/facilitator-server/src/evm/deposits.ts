import type { Chain } from '@mintmark/server-kit'
import { type Hex, toEventSelector } from 'viem'
import type { Deposit } from '../ledger/deposits.ts'
import {
  type Cursor,
  findSeen,
  noteRead,
  noteSeen,
  readCursor,
  type SeenDeposit,
  seenSince,
  type Treasury,
} from './deposit-store.ts'
import { findReceipt } from './receipts.ts'
import type { Store } from './transaction-store.ts'
import { asHex, type Log } from './transfer.ts'

export interface DepositWatchOptions {
  db: Store
  /** The chain of `TREASURY_CHAIN`. */
  chain: Chain
  /** The treasury contract's address. */
  treasury: string
  /** The first block to read when nothing was read before: the treasury's own. Default 0. */
  fromBlock?: bigint
  /** Credits a final deposit. It is told the same deposit again after a crash, and must count it once. */
  credit(deposit: Deposit): Promise<unknown>
  /** Takes back a deposit that a reorganisation deeper than finality removed. It too may be told twice. */
  lost(deposit: Deposit): Promise<unknown>
  /** How far back is looked again after such a reorganisation. Default 1,000 blocks. */
  recheckBlocks?: bigint
  /** The range of one log query. Default 2,000 blocks, which nodes commonly accept. */
  blocksPerQuery?: bigint
}

/** What one pass did. */
export interface DepositReport {
  credited: number
  lost: number
  /** The first block that was not read yet. */
  nextBlock: bigint
}

export interface DepositWatch {
  /**
   * Reads the treasury's deposits from where the last pass ended up to the chain's final block, and credits them. A job
   * calls it now and then; passes of several processes at once do no harm.
   *
   * @throws what the chain, the database or `credit` threw; the next pass goes on from there.
   */
  poll(): Promise<DepositReport>
}

const deposited = toEventSelector('Deposited(address,uint256)')

/** Watches deposits into the treasury contract (x402.md, "Billing"). */
export function createDepositWatch(options: DepositWatchOptions): DepositWatch {
  const { db, chain, fromBlock = 0n, recheckBlocks = 1_000n, blocksPerQuery = 2_000n } = options
  const treasury: Treasury = { chainId: chain.id, address: options.treasury.toLowerCase() }

  async function poll(): Promise<DepositReport> {
    const final = await chain.finalBlock()
    let cursor = await readCursor(db, treasury)
    const report: DepositReport = { credited: 0, lost: 0, nextBlock: cursor?.nextBlock ?? fromBlock }
    if (cursor && (await wasReplaced(chain, cursor))) {
      const back = cursor.nextBlock - recheckBlocks
      report.lost = await recheck(back)
      const rewound = { nextBlock: fromBlock, lastHash: undefined }
      if (back > fromBlock) rewound.nextBlock = back
      await noteRead(db, treasury, [], cursor, rewound)
      cursor = rewound
    }
    for (let next = cursor?.nextBlock ?? fromBlock; next <= final.number; next = cursor.nextBlock) {
      const last = next + blocksPerQuery - 1n < final.number ? next + blocksPerQuery - 1n : final.number
      const done = { nextBlock: last + 1n, lastHash: await blockHash(chain, last) }
      if (done.lastHash === undefined) throw new Error(`The node does not have the final block ${last}.`)
      const found = await creditNew(await readLogs(next, last))
      await noteRead(db, treasury, found, cursor, done)
      report.credited += found.length
      cursor = done
    }
    return { ...report, nextBlock: cursor?.nextBlock ?? fromBlock }
  }

  async function readLogs(from: bigint, to: bigint): Promise<SeenDeposit[]> {
    const logs = await chain.client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: asHex(treasury.address),
          fromBlock: `0x${from.toString(16)}`,
          toBlock: `0x${to.toString(16)}`,
          topics: [deposited],
        },
      ],
    })
    const positions = new Map<string, number>()
    return logs.map((log) => {
      const { transactionHash, blockHash: inBlock, blockNumber, logIndex } = log
      if (!transactionHash || !inBlock || !blockNumber || !logIndex)
        throw new Error('A final log has no place.')
      const position = positions.get(transactionHash) ?? 0
      positions.set(transactionHash, position + 1)
      return {
        chainId: chain.id,
        hash: transactionHash,
        position,
        logIndex: Number(logIndex),
        ...readDeposit(log),
        blockNumber: BigInt(blockNumber),
        blockHash: inBlock,
        lost: false,
      }
    })
  }

  /** Credits those that stand on the chain and were not credited yet, or were lost since. */
  async function creditNew(deposits: readonly SeenDeposit[]): Promise<SeenDeposit[]> {
    const credited: SeenDeposit[] = []
    for (const deposit of deposits) {
      const known = await findSeen(db, treasury, deposit)
      if (known && !known.lost) continue
      // Under the index it was first credited with, if it was: a reorganisation may have given it another one.
      const named = known ? { ...deposit, logIndex: known.logIndex } : deposit
      await options.credit(withoutPlace(named))
      credited.push(named)
    }
    return credited
  }

  /** Finds out which credited deposits are on the chain still, after a reorganisation deeper than finality. */
  async function recheck(since: bigint): Promise<number> {
    let lost = 0
    for (const deposit of await seenSince(db, treasury, since)) {
      if ((await blockHash(chain, deposit.blockNumber)) === deposit.blockHash) continue
      const moved = await findAgain(deposit)
      if (moved) {
        await noteSeen(db, treasury, moved)
        continue
      }
      await options.lost(withoutPlace(deposit))
      await noteSeen(db, treasury, { ...deposit, lost: true })
      lost += 1
    }
    return lost
  }

  /** The same deposit in another block, if its transaction was mined there and did the same. */
  async function findAgain(deposit: SeenDeposit): Promise<SeenDeposit | undefined> {
    const receipt = await findReceipt(chain, deposit.hash)
    if (receipt?.status !== 'success') return undefined
    const log = receipt.logs.filter(
      ({ address, topics }) => address.toLowerCase() === treasury.address && topics[0] === deposited,
    )[deposit.position]
    const now = log && readDeposit(log)
    if (now?.payer !== deposit.payer || now.amount !== deposit.amount) return undefined
    return { ...deposit, blockNumber: receipt.blockNumber, blockHash: receipt.blockHash }
  }

  return { poll }
}

function readDeposit({ topics: [, payer = ''], data }: Pick<Log, 'topics' | 'data'>) {
  return { payer: `0x${payer.slice(26).toLowerCase()}`, amount: BigInt(data) }
}

function withoutPlace({ position: _, lost: __, ...deposit }: SeenDeposit): Deposit {
  return deposit
}

/** Whether the block that was read last is no longer the chain's. */
async function wasReplaced(chain: Chain, { nextBlock, lastHash }: Cursor): Promise<boolean> {
  return lastHash !== undefined && (await blockHash(chain, nextBlock - 1n)) !== lastHash
}

async function blockHash(chain: Chain, number: bigint): Promise<Hex | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  })
  return block?.hash ?? undefined
}
