import type { StateDatabase } from './state-database.ts'

/** Amounts in base units by asset: `eip155:8453/0x…`, in lower case. */
export type AssetAmounts = ReadonlyMap<string, bigint>

export interface BudgetLimits {
  /**
   * Per UTC day, for all sessions and processes that share the state file. An asset without one cannot be
   * spent.
   */
  readonly day: AssetAmounts
  /** Per session. Default: the day's. */
  readonly session: AssetAmounts
}

export interface Reservation {
  readonly id: string
  readonly session: string
  readonly asset: string
  readonly amount: bigint
}

export interface BudgetStatus {
  readonly asset: string
  /** Spent or reserved today, and in this session. */
  readonly usedToday: bigint
  readonly usedInSession: bigint
  readonly dayLimit: bigint
  readonly sessionLimit: bigint
}

/** A payment does not fit into a budget. */
export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError'
}

interface PaymentRow {
  readonly session: string
  readonly day: string
  readonly asset: string
  readonly amount: string
  readonly state: string
}

/**
 * Reserves what may be spent before it is spent. What is neither spent nor released, such as after a crash,
 * stays reserved.
 */
export class Budgets {
  readonly #state: StateDatabase
  readonly #limits: BudgetLimits
  readonly #now: () => number

  constructor(state: StateDatabase, limits: BudgetLimits, now: () => number) {
    this.#state = state
    this.#limits = limits
    this.#now = now
  }

  /** @throws BudgetExceededError if the amount does not fit. Nothing is reserved then. */
  reserve({ id, session, asset, amount }: Reservation): void {
    if (amount < 0n) throw new BudgetExceededError('The amount is negative')
    this.#state.transact(() => {
      const day = this.#getDay()
      const status = this.#getStatus(asset, session, day)
      const checks = [
        { name: 'day', used: status.usedToday, limit: status.dayLimit },
        { name: 'session', used: status.usedInSession, limit: status.sessionLimit },
      ]
      for (const { name, used, limit } of checks) {
        if (used + amount > limit) {
          throw new BudgetExceededError(
            `The payment of ${amount} exceeds the budget of the ${name} for ${asset}: ${used} of ${limit} is spent or reserved`,
          )
        }
      }
      this.#state.sqlite
        .prepare(
          "insert into payments (id, session, day, asset, amount, state, created_at) values (?, ?, ?, ?, ?, 'reserved', ?)",
        )
        .run(id, session, day, asset, String(amount), this.#now())
      this.#add(day, session, asset, amount)
    })
  }

  /** Records that a reserved payment was made. */
  commit(id: string): void {
    this.#state.sqlite
      .prepare("update payments set state = 'spent' where id = ? and state = 'reserved'")
      .run(id)
  }

  /**
   * Returns a reserved amount. Only for payments that nobody can collect, because their authorization was
   * never sent.
   */
  release(id: string): void {
    this.#state.transact(() => {
      const statement =
        "update payments set state = 'released' where id = ? and state = 'reserved' returning *"
      const row = this.#state.sqlite.prepare(statement).get(id) as PaymentRow | undefined
      if (row !== undefined) this.#add(row.day, row.session, row.asset, -BigInt(row.amount))
    })
  }

  /** Lists the budgets of a session. */
  list(session: string): readonly BudgetStatus[] {
    const day = this.#getDay()
    return [...this.#limits.day.keys()].map((asset) => this.#getStatus(asset, session, day))
  }

  #getStatus(asset: string, session: string, day: string): BudgetStatus {
    const dayLimit = this.#limits.day.get(asset) ?? 0n
    return {
      asset,
      usedToday: this.#getTotal(toDayPeriod(day), asset),
      usedInSession: this.#getTotal(toSessionPeriod(session), asset),
      dayLimit,
      sessionLimit: this.#limits.session.get(asset) ?? dayLimit,
    }
  }

  #getDay(): string {
    return new Date(this.#now()).toISOString().slice(0, 10)
  }

  #getTotal(period: string, asset: string): bigint {
    const statement = 'select amount from totals where period = ? and asset = ?'
    const row = this.#state.sqlite.prepare(statement).get(period, asset) as { amount: string } | undefined
    return BigInt(row?.amount ?? 0)
  }

  #add(day: string, session: string, asset: string, amount: bigint): void {
    for (const period of [toDayPeriod(day), toSessionPeriod(session)]) {
      const total = this.#getTotal(period, asset) + amount
      this.#state.sqlite
        .prepare('insert or replace into totals (period, asset, amount) values (?, ?, ?)')
        .run(period, asset, String(total))
    }
  }
}

const toDayPeriod = (day: string) => `day:${day}`
const toSessionPeriod = (session: string) => `session:${session}`
