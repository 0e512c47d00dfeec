import type { Command } from 'commander'
import type { CommandEnvironment } from '../environment.ts'
import type { TryOptions } from './try.ts'

/** The name of the profile that `mintmark try` stores, if there is no other choice. */
const TRY_PROFILE = 'try'

/** Adds the command that gets a seller a key of a facilitator. */
export function addTryCommand(program: Command, environment: CommandEnvironment): void {
  const command = program
    .command('try')
    .description(
      'Opens your account of a facilitator that allows it: creates a wallet, gets a key and a trial, and signs the quota for it. In the folder of a sandbox it also sells a call: a stock x402 customer pays it. Stores the wallet and the key in a profile, like `mintmark login`. MINTMARK_PRIVATE_KEY in the environment is the key of a wallet of yours, which is not stored. Repeat it as often as you like: it uses what it has stored.',
    )
    .summary('get a key and sell a call')
    .option('--facilitator-url <url>', 'or MINTMARK_FACILITATOR_URL; default: the sandbox of this folder')
    .option('--profile <name>', 'where to store the wallet and the key', TRY_PROFILE)
    .option('--json', 'one line of JSON')
  command.action(async () => {
    const { tryFacilitator } = await import('./try.ts')
    await tryFacilitator(command.opts<TryOptions>(), environment)
  })
}
