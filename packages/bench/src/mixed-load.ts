import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import type { GatewayClient } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import { WALLET } from './gateway-environment.ts'

/** How long each call of a span took, from the moment at which it was due. */
export interface Span {
  readonly milliseconds: number[]
  failed: number
}

export interface MixedLoad {
  readonly client: GatewayClient
  /** Calls per second, sent when they are due, even if earlier ones have no response yet. */
  readonly rate: number
  readonly spanMs: number
  readonly spans: number
  /** Is called when a span begins, with the number of those before it. */
  onSpan(done: number, total: number): void
}

const createCard = (serial: number) => ({
  name: `Card ${(serial * 7919) % 1000}`,
  nftAddress: WALLET,
  totalIssued: 1,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T00:00:00Z',
})

/**
 * Calls an empty gateway at a fixed rate: half reads by key, a quarter lists, a fifth creates, and the rest
 * updates and searches. Returns the spans of time one by one.
 */
export async function runMixedLoad({ client, rate, spanMs, spans, onSpan }: MixedLoad): Promise<Span[]> {
  await walletInfo.add(client, { address: WALLET, name: 'Ada' })
  const ids = [(await promoCodeCards.create(client, createCard(0))).id]
  const results = Array.from({ length: spans }, (): Span => ({ milliseconds: [], failed: 0 }))
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  let started = 0
  for (let serial = 0; ; serial += 1) {
    const due = startedAt + (serial * 1000) / rate
    const index = Math.floor((due - startedAt) / spanMs)
    const span = results[index]
    if (span === undefined) break
    if (index > started) onSpan(index, spans)
    started = index
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    running.push(measureCall(span, due, makeCall(client, serial, ids)))
  }
  await Promise.all(running)
  return results
}

async function measureCall(span: Span, due: number, call: Promise<void>): Promise<void> {
  try {
    await call
  } catch {
    span.failed += 1
  }
  span.milliseconds.push(performance.now() - due)
}

/** Makes the call with this serial number. The mix repeats after 40 calls. */
async function makeCall(client: GatewayClient, serial: number, ids: number[]): Promise<void> {
  const id = ids[(serial * 31) % ids.length] ?? 1
  const turn = serial % 20
  if (turn % 2 === 0) {
    if (turn % 4 === 0) await promoCodeCards.get(client, { id })
    else await walletInfo.get(client, { address: WALLET })
  } else if (turn < 10) {
    const lastPage = Math.max(1, Math.ceil(ids.length / 20))
    const inputs: readonly InputOf<typeof promoCodeCards.list>[] = [
      {},
      { pageNumber: 3 },
      { orderBy: 'name', pageNumber: 3 },
      { pageNumber: lastPage },
      { pageNumber: Math.max(1, lastPage - 1), orderBy: 'endTime' },
    ]
    await promoCodeCards.list(client, inputs[(turn - 1) / 2] ?? {})
  } else if (turn < 18) {
    ids.push((await promoCodeCards.create(client, createCard(serial))).id)
  } else if (serial % 40 === 19) {
    await promoCodeCards.update(client, { id, name: `Card ${serial % 1000}` })
  } else {
    await promoCodeCards.search(client, { status: 'ACTIVE' })
  }
}
