import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { listSharedUses } from '../domains/orders/payments/shared-payments.ts'
import { confirmDelivery } from '../domains/orders/verification/confirm-delivery.ts'
import { resolveOrder } from '../domains/orders/verification/operator.ts'
import { recordRefund } from '../domains/orders/verification/refunds.ts'
import { DELIVERY_HOURS, listStuckOrders } from '../domains/orders/verification/stuck-orders.ts'
import { findInventory } from '../main/composition.ts'
import { print, withDatabase } from './command-database.ts'

const OUTCOMES = {
  success: 'resolved_success',
  failed: 'resolved_failed',
} as const

/** Commands for orders that the server cannot decide by itself. */
export const orderCommands: Record<string, Command> = {
  'orders stuck': {
    summary:
      'Lists the orders that need an operator, each with what to do: UNRESOLVED, paid too much, unfinished for --minutes (60), not delivered for --delivery-hours (72), or ended unpaid with a reported transaction.',
    options: { minutes: 'number?', 'delivery-hours': 'number?' },
    async run({ options }) {
      const minutes = parseNumber('minutes', options.minutes, 60)
      const hours = parseNumber('delivery-hours', options['delivery-hours'], DELIVERY_HOURS)
      await withDatabase('orders', async (db) => print(await listStuckOrders(db, minutes, hours)))
    },
  },
  'orders resolve': {
    summary:
      'Decides an order that "orders stuck" lists: --as success delivers it and counts its payment (none with --payment none), --as failed releases its reservation.',
    arguments: ['order-no'],
    options: {
      as: 'success|failed',
      actor: 'name',
      reason: 'text',
      hash: 'transaction?',
      payment: 'none?',
      project: 'id?',
    },
    async run({ arguments: [orderNo = ''], options }) {
      const resolution = parseResolution(orderNo, options)
      await withDatabase('orders', async (db) => {
        const resolved = await resolveOrder(db, findInventory, resolution)
        const uses = resolved.hash === '' ? [] : await listSharedUses(db, resolved.chainId, resolved.hash)
        print({ ...resolved, ...(uses.length > 0 && { alert: 'payment', paymentUses: uses }) })
      })
    },
  },
  'orders refunded': {
    summary:
      'Records that the excess of a payment was paid back: a second payment of an order, or what one paid too much. --payment names the payment if several are due, --hash the transaction that paid it back.',
    arguments: ['order-no'],
    options: {
      actor: 'name',
      reason: 'text',
      hash: 'transaction?',
      payment: 'transaction?',
      project: 'id?',
    },
    async run({ arguments: [orderNo = ''], options }) {
      const decision = {
        ...parseDecision(orderNo, options),
        hash: parseHash('hash', options.hash),
        payment: parseHash('payment', options.payment),
      }
      await withDatabase('orders', async (db) => print(await recordRefund(db, findInventory, decision)))
    },
  },
  'orders delivered': {
    summary:
      'Ends the wait for the transfer of an order that "orders stuck" lists: the token was handed over in another way, or the buyer has the money back.',
    arguments: ['order-no'],
    options: { actor: 'name', reason: 'text', project: 'id?' },
    async run({ arguments: [orderNo = ''], options }) {
      const decision = parseDecision(orderNo, options)
      await withDatabase('orders', async (db) => print(await confirmDelivery(db, decision)))
    },
  },
}

function parseNumber(option: string, text: string | undefined, fallback: number): number {
  const value = Number(text ?? fallback)
  if (!(Number.isInteger(value) && value >= 0 && value <= 1e6))
    throw new ConfigurationError(`--${option}: expected a number from 0`)
  return value
}

type Options = Record<string, string | undefined>
type Resolution = Parameters<typeof resolveOrder>[2]

/** Parses what every decision on an order has: the order, who decides, and why. */
function parseDecision(orderNo: string, { actor = '', reason = '', project }: Options) {
  if (actor.trim() === '' || reason.trim() === '')
    throw new ConfigurationError('--actor and --reason: expected who decides, and why')
  if (project !== undefined && !/^\d{1,15}$/.test(project))
    throw new ConfigurationError('--project: expected a project id')
  return { orderNo, actor, reason, project: project === undefined ? undefined : Number(project) }
}

function parseHash(option: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new ConfigurationError(`--${option}: expected 0x and 64 hexadecimal digits`)
  return text?.toLowerCase()
}

function parseResolution(orderNo: string, options: Options): Resolution {
  const { as = '', payment } = options
  if (!isOutcome(as)) throw new ConfigurationError('--as: expected success or failed')
  const decision = parseDecision(orderNo, options)
  const hash = parseHash('hash', options.hash)
  if (payment !== undefined && payment !== 'none') throw new ConfigurationError('--payment: expected none')
  if ((hash !== undefined || payment !== undefined) && as !== 'success')
    throw new ConfigurationError('--hash and --payment: expected with --as success only')
  if (hash !== undefined && payment !== undefined)
    throw new ConfigurationError('--hash and --payment: expected one of the two')
  return { ...decision, event: OUTCOMES[as], hash, withoutPayment: payment === 'none' }
}

const isOutcome = (text: string): text is keyof typeof OUTCOMES => Object.hasOwn(OUTCOMES, text)
