import { type Command, InvalidArgumentError } from 'commander'
import type { CommandEnvironment } from '../environment.ts'
import { addCallOptions, addOutputOptions } from '../operation-command.ts'
import type { ListenOptions } from './listen.ts'
import type { TailOptions } from './tail.ts'
import type { TriggerOptions } from './trigger.ts'

const TYPES_HELP = 'types and patterns such as order.*, separated by commas'
const SECRET_HELP = 'signing secret, whsec_…; or MINTMARK_WEBHOOK_SECRET'

function parseSequence(text: string): number {
  const sequence = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(sequence) && sequence >= 0) return sequence
  throw new InvalidArgumentError('Expected the number of an event')
}

/** Adds `mintmark events tail`. */
export function addTailCommand(group: Command, environment: CommandEnvironment): void {
  const command = group
    .command('tail')
    .description('Shows new events as they happen. Ends with Ctrl-C.')
    .summary('show new events')
    .option('--types <types>', TYPES_HELP)
    .option('--after <number>', 'begin after this event; default: the newest one', parseSequence)
  addCallOptions(addOutputOptions(command))
  command.action(async () => {
    const { tail } = await import('./tail.ts')
    await tail(command.opts<TailOptions & { types?: string; after?: number }>(), environment)
  })
}

/** Adds `mintmark listen` and `mintmark trigger`. */
export function addEventCommands(program: Command, environment: CommandEnvironment): void {
  const listenCommand = program
    .command('listen')
    .description(
      'Forwards events of the gateway to a receiver on this machine, each as a signed webhook, and prints its responses. Continues after lost connections. Ends with Ctrl-C.',
    )
    .summary('forward events to a receiver')
    .requiredOption('--forward-to <url>', 'such as localhost:3000/hooks')
    .option('--types <types>', TYPES_HELP)
    .option('--after <number>', 'begin after this event; default: the newest one', parseSequence)
    .option('--secret <secret>', SECRET_HELP)
  addCallOptions(addOutputOptions(listenCommand))
  listenCommand.action(async () => {
    const { listen } = await import('./listen.ts')
    await listen(listenCommand.opts<ListenOptions>(), environment)
  })

  const triggerCommand = program
    .command('trigger')
    .description('Sends a sample event, signed as a webhook, or prints it.')
    .summary('send a sample event')
    .argument('<type>', 'type of the event, such as order.paid')
    .option('--forward-to <url>', 'receiver, such as localhost:3000/hooks')
    .option('--data <json>', "fields that replace the sample's")
    .option('--secret <secret>', SECRET_HELP)
  triggerCommand.addHelpText('after', '\nThe types are listed by `mintmark trigger list`.')
  triggerCommand.action(async (type: string) => {
    const { listTypes, trigger } = await import('./trigger.ts')
    if (type === 'list') return await listTypes(environment)
    await trigger(type, triggerCommand.opts<TriggerOptions>(), environment)
  })
}
