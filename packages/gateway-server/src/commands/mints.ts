import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { listUndecidedMints, type MintResolution, resolveMint } from '../domains/minting/watching/operator.ts'
import { orderPort } from '../main/composition.ts'
import { print, withDatabase } from './command-database.ts'

/** Commands for mint signatures that the server cannot decide by itself. */
export const mintCommands: Record<string, Command> = {
  'mints undecided': {
    summary:
      'Lists the expired mint signatures that the chain neither shows as used nor proves unused. What they reserved stays reserved.',
    async run() {
      await withDatabase('mints', async (db) => print(await listUndecidedMints(db)))
    },
  },
  'mints resolve': {
    summary:
      'Decides a signature that "mints undecided" lists: --as minted records its mint (--hash, --token-id), --as unused releases what it reserved. Look the uid up in an explorer first: a used signature that is released can be minted above its limit.',
    arguments: ['reservation'],
    options: {
      as: 'minted|unused',
      project: 'id',
      actor: 'name',
      reason: 'text',
      hash: 'transaction?',
      'token-id': 'number?',
    },
    async run({ arguments: [reservation = ''], options }) {
      const resolution = parseResolution(reservation, options)
      await withDatabase('mints', async (db) => print(await resolveMint(db, orderPort, resolution)))
    },
  },
}

type Options = Record<string, string | undefined>

function parseResolution(reservation: string, options: Options): MintResolution {
  const { as = '', project = '', actor = '', reason = '' } = options
  if (!/^\d{1,15}$/.test(reservation)) throw new ConfigurationError('reservation: expected its id')
  if (!/^\d{1,15}$/.test(project)) throw new ConfigurationError('--project: expected a project id')
  if (actor.trim() === '' || reason.trim() === '')
    throw new ConfigurationError('--actor and --reason: expected who decides, and why')
  return {
    project: Number(project),
    reservation: Number(reservation),
    minted: parseMinted(as, options),
    actor,
    reason,
  }
}

function parseMinted(as: string, options: Options): MintResolution['minted'] {
  const { hash, 'token-id': tokenId } = options
  if (as === 'unused') {
    if (hash !== undefined || tokenId !== undefined)
      throw new ConfigurationError('--hash and --token-id: expected with --as minted only')
    return undefined
  }
  if (as !== 'minted') throw new ConfigurationError('--as: expected minted or unused')
  if (hash === undefined || !/^0x[0-9a-fA-F]{64}$/.test(hash))
    throw new ConfigurationError('--hash: expected 0x and 64 hexadecimal digits')
  if (tokenId === undefined || !/^\d{1,78}$/.test(tokenId))
    throw new ConfigurationError('--token-id: expected a number')
  return { hash: hash.toLowerCase(), tokenId }
}
