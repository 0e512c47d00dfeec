import 'server-only'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order } from '@mintmark/orders'

interface StoredOrder {
  /** The place of the order's newest event in the feed. */
  readonly sequence: number
  readonly order: Order
}

/** Order numbers are names of files here. */
const ORDER_NO = /^[\w-]{1,64}$/

/**
 * Stores an order as an event reports it: a file per order, in place of your database. Messages arrive
 * repeatedly and in any order, so an event that is not newer than the stored one has no effect.
 */
export function saveOrder({ sequence, order }: StoredOrder): void {
  const file = findFile(order.orderNo)
  if (file === undefined) throw new Error('The order has a number that is not a file name')
  // Without a pause between reading and writing, so that no other message of this process is in between.
  const stored = readStored(file)
  if (stored !== undefined && stored.sequence >= sequence) return
  mkdirSync(getFolder(), { recursive: true })
  const next: StoredOrder = { sequence, order }
  writeFileSync(`${file}.new`, JSON.stringify(next))
  renameSync(`${file}.new`, file)
}

/** Returns an order as its newest event reported it. */
export function findStoredOrder(orderNo: string): Order | undefined {
  const file = findFile(orderNo)
  return file === undefined ? undefined : readStored(file)?.order
}

function getFolder(): string {
  return process.env.SHOP_DATA_DIR || '.shop'
}

function findFile(orderNo: string): string | undefined {
  return ORDER_NO.test(orderNo) ? join(/* turbopackIgnore: true */ getFolder(), `${orderNo}.json`) : undefined
}

function readStored(file: string): StoredOrder | undefined {
  try {
    const stored: StoredOrder = JSON.parse(readFileSync(/* turbopackIgnore: true */ file, 'utf8'))
    return stored
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
