import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { findInventory } from '../composition.ts'
import { resolveOrder } from '../domains/orders/verification/operator.ts'
import { listStuckOrders } from '../domains/orders/verification/stuck-orders.ts'
import { print, withDatabase } from './command-database.ts'

const OUTCOMES = {
  success: 'resolved_success',
  failed: 'resolved_failed',
  refunded: 'refunded',
} as const

/** Commands for orders that the server cannot decide by itself. */
export const orderCommands: Record<string, Command> = {
  'orders stuck': {
    summary:
      'Lists the orders that need an operator, each with what to do: UNRESOLVED, paid twice, unfinished for --minutes (60), or ended unpaid with a reported transaction.',
    options: { minutes: 'number?' },
    async run({ options }) {
      const minutes = Number(options.minutes ?? 60)
      if (!(minutes >= 0 && minutes <= 1e6))
        throw new ConfigurationError('--minutes: expected a number from 0')
      await withDatabase('orders', async (db) => print(await listStuckOrders(db, minutes)))
    },
  },
  'orders resolve': {
    summary:
      'Decides an order that "orders stuck" lists: --as success delivers it and counts its payment (none with --payment none), --as failed releases its reservation, --as refunded confirms the refund of a second payment.',
    arguments: ['order-no'],
    options: {
      as: 'success|failed|refunded',
      actor: 'name',
      reason: 'text',
      hash: 'transaction?',
      payment: 'none?',
      project: 'id?',
    },
    async run({ arguments: [orderNo = ''], options }) {
      const resolution = parseResolution(orderNo, options)
      await withDatabase('orders', async (db) => print(await resolveOrder(db, findInventory, resolution)))
    },
  },
}

type Resolution = Parameters<typeof resolveOrder>[2]

function parseResolution(orderNo: string, options: Record<string, string | undefined>): Resolution {
  const { as = '', actor = '', reason = '', hash, payment, project } = options
  if (!isOutcome(as)) throw new ConfigurationError('--as: expected success, failed or refunded')
  if (actor.trim() === '' || reason.trim() === '')
    throw new ConfigurationError('--actor and --reason: expected who decides, and why')
  if (hash !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new ConfigurationError('--hash: expected 0x and 64 hexadecimal digits')
  if (payment !== undefined && payment !== 'none') throw new ConfigurationError('--payment: expected none')
  if ((hash !== undefined || payment !== undefined) && as !== 'success')
    throw new ConfigurationError('--hash and --payment: expected with --as success only')
  if (hash !== undefined && payment !== undefined)
    throw new ConfigurationError('--hash and --payment: expected one of the two')
  if (project !== undefined && !/^\d{1,15}$/.test(project))
    throw new ConfigurationError('--project: expected a project id')
  return {
    orderNo,
    event: OUTCOMES[as],
    actor,
    reason,
    hash: hash?.toLowerCase(),
    withoutPayment: payment === 'none',
    project: project === undefined ? undefined : Number(project),
  }
}

const isOutcome = (text: string): text is keyof typeof OUTCOMES => Object.hasOwn(OUTCOMES, text)
