import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { resolveOrder, stuckOrders } from '../groups/orders/operator.ts'
import { print, withDatabase } from './command-database.ts'

const OUTCOMES = { success: 'resolved_success', failed: 'resolved_failed' } as const

/** What operators do with orders that the server cannot decide by itself. */
export const orderCommands: Record<string, Command> = {
  'orders stuck': {
    summary:
      'Lists the orders that need a person (UNRESOLVED, or paid twice) and those that are unfinished for --minutes (60).',
    options: { minutes: 'number?' },
    async run({ options }) {
      const minutes = Number(options.minutes ?? 60)
      if (!(minutes >= 0 && minutes <= 1e6))
        throw new ConfigurationError('--minutes: expected a number from 0')
      await withDatabase('orders', async (db) => print(await stuckOrders(db, minutes)))
    },
  },
  'orders resolve': {
    summary:
      'Decides an UNRESOLVED order: --as success delivers and counts its payment, --as failed gives back what it reserved.',
    arguments: ['order-no'],
    options: { as: 'success|failed', actor: 'name', reason: 'text', hash: 'transaction?', project: 'id?' },
    async run({ arguments: [orderNo = ''], options }) {
      const { as = '', actor = '', reason = '', hash, project } = options
      if (!Object.hasOwn(OUTCOMES, as)) throw new ConfigurationError('--as: expected success or failed')
      if (actor.trim() === '' || reason.trim() === '')
        throw new ConfigurationError('--actor and --reason: expected who decides, and why')
      if (hash !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(hash))
        throw new ConfigurationError('--hash: expected 0x and 64 hexadecimal digits')
      if (project !== undefined && !/^\d{1,15}$/.test(project))
        throw new ConfigurationError('--project: expected a project id')
      await withDatabase('orders', async (db) =>
        print(
          await resolveOrder(db, {
            orderNo,
            // One of the two: it was looked up above.
            event: OUTCOMES[as as keyof typeof OUTCOMES],
            actor,
            reason,
            hash: hash?.toLowerCase(),
            project: project === undefined ? undefined : Number(project),
          }),
        ),
      )
    },
  },
}
