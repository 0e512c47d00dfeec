import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as feed from '@mintmark/events'
import * as facilitator from '@mintmark/facilitator'
import * as market from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import * as orders from '@mintmark/orders'
import * as wallet from '@mintmark/wallet'
import { toKebabCase } from './names.ts'

/** The packages, as the help lists them. */
const SECTIONS: readonly (readonly [heading: string, module: object])[] = [
  ['Cards', cards],
  ['Market', market],
  ['Orders', orders],
  ['Contracts and NFTs', contracts],
  ['Wallets', wallet],
  ['Events', feed],
  ['People and keys', admin],
  ['Facilitator', facilitator],
]

/** An operation with the name of its command. */
export interface OperationCommand {
  readonly operation: OperationShape
  /** The operation's name in its group, such as `createBatch`. */
  readonly name: string
  /** Such as `create-batch`. */
  readonly command: string
}

/** The operations of a group, such as `promoCodeCards`. */
export interface GroupCommand {
  readonly name: string
  readonly command: string
  /** The heading of the help that lists the group. */
  readonly section: string
  readonly operations: readonly OperationCommand[]
}

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'service' in value && 'path' in value
}

function listGroupOperations(group: object): OperationCommand[] {
  return Object.entries(group).flatMap(([name, operation]) =>
    isOperation(operation) ? [{ operation, name, command: toKebabCase(name) }] : [],
  )
}

/** Lists every group of operations that the client packages export, so that no command is missing. */
export function listGroups(): GroupCommand[] {
  return SECTIONS.flatMap(([section, module]) =>
    Object.entries(module).flatMap(([name, exported]) => {
      const operations =
        typeof exported === 'object' && exported !== null ? listGroupOperations(exported) : []
      return operations.length === 0 ? [] : [{ name, command: toKebabCase(name), section, operations }]
    }),
  )
}
