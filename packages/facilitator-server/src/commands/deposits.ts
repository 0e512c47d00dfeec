import { type Command, CommandFailedError, ConfigurationError, createLog } from '@mintmark/server-kit'
import { readCursor } from '../chains/evm/deposits/deposit-store.ts'
import { createConfiguredDepositWatch } from '../configured-deposits.ts'
import { integer, print } from './command-database.ts'
import { withEngine } from './engine.ts'

export const depositCommands: Record<string, Command> = {
  'deposits reread': {
    summary:
      'Reads the blocks since --from-block again, credits the deposits that an earlier read has missed, and prints their number. Exits with status 1 if the nodes did not return all blocks. Servers may run meanwhile.',
    options: { 'from-block': 'number' },
    async run({ options }) {
      const fromBlock = BigInt(integer(options['from-block'], '--from-block'))
      await withEngine(async ({ db, payments, config, enqueue }) => {
        const chain = payments.chains.byId(config.treasuryChain)
        if (chain === undefined) throw new ConfigurationError('TREASURY_CHAIN is not among CHAINS')
        const cursor = await readCursor(db, { chainId: chain.id, address: config.treasury.toLowerCase() })
        if (cursor === undefined)
          throw new ConfigurationError('No block was read yet. Start a server, which reads all of them')
        if (fromBlock >= cursor.nextBlock)
          throw new ConfigurationError(
            `--from-block: block ${fromBlock} was not read yet. Give a block before ${cursor.nextBlock}`,
          )
        // The result is on standard output.
        const log = createLog('facilitator', 'warn', process.stderr)
        const watch = createConfiguredDepositWatch(
          { db, config, chain, enqueue, log },
          { rereadFrom: fromBlock },
        )
        const { credited, nextBlock, complete } = await watch.poll()
        print({ chain: chain.id, fromBlock, nextBlock, credited, complete })
        if (!complete)
          throw new CommandFailedError(
            'The nodes lag or contradict each other, so deposits may still be missed. Repeat the command',
          )
      })
    },
  },
}
