import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as events from '@mintmark/events'
import * as market from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import * as orders from '@mintmark/orders'
import * as wallet from '@mintmark/wallet'
import type { GatewayOperation } from '../../api/console-operation.ts'

/** An operation with what a program needs to call it. */
export interface CatalogueEntry {
  readonly operation: GatewayOperation
  /** The export of the package that has the operation, such as `promoCodeCards`. */
  readonly group: string
  /** The operation's name in its group, such as `createBatch`. */
  readonly name: string
  /** Such as `@mintmark/cards`. */
  readonly packageName: string
}

/** The operations of a package. */
export interface CatalogueSection {
  readonly heading: string
  readonly entries: readonly CatalogueEntry[]
}

const packages: readonly (readonly [heading: string, packageName: string, module: object])[] = [
  ['Cards', '@mintmark/cards', cards],
  ['Orders', '@mintmark/orders', orders],
  ['Market', '@mintmark/market', market],
  ['Contracts and NFTs', '@mintmark/contracts', contracts],
  ['Wallets', '@mintmark/wallet', wallet],
  ['Events', '@mintmark/events', events],
  ['People, keys and audit', '@mintmark/admin', admin],
]

/**
 * Lists every operation of the gateway that the packages export. Those of operators are a section of their
 * own, which only operators see.
 */
export function listCatalogue({ isOperator }: { readonly isOperator: boolean }): readonly CatalogueSection[] {
  const sections = packages.map(([heading, packageName, module]) => ({
    heading,
    entries: listEntries(packageName, module),
  }))
  const isOfOperators = ({ operation }: CatalogueEntry) => operation.scope?.startsWith('operator:') === true
  const ofProjects = sections.map(({ heading, entries }) => ({
    heading,
    entries: entries.filter((entry) => !isOfOperators(entry)),
  }))
  if (!isOperator) return ofProjects
  const ofOperators = sections.flatMap(({ entries }) => entries.filter(isOfOperators))
  return [...ofProjects, { heading: 'Operator', entries: ofOperators }]
}

/** Lists the operations in the groups that a package exports. A group is a module, which has no prototype. */
function listEntries(packageName: string, module: object): readonly CatalogueEntry[] {
  return Object.entries<unknown>({ ...module }).flatMap(([group, exported]) =>
    Object.entries<unknown>(typeof exported === 'object' ? { ...exported } : {}).flatMap(
      ([name, operation]) => (isOperation(operation) ? [{ operation, group, name, packageName }] : []),
    ),
  )
}

function isOperation(value: unknown): value is GatewayOperation {
  if (typeof value !== 'function' || !('service' in value && 'path' in value && 'id' in value)) return false
  return value.service === 'gateway'
}

/** Finds an operation by its id, such as `orders.list`. */
export function findEntry(
  sections: readonly CatalogueSection[],
  id: string | undefined,
): CatalogueEntry | undefined {
  return sections.flatMap(({ entries }) => entries).find(({ operation }) => operation.id === id)
}

/**
 * Selects the operations that have all words of a search in their id, path or description. Sections without
 * any are left out.
 */
export function searchCatalogue(
  sections: readonly CatalogueSection[],
  text: string,
  describe: (operation: OperationShape) => string,
): readonly CatalogueSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = ({ operation }: CatalogueEntry) => {
    const searched =
      `${operation.id} ${operation.method} ${operation.path} ${describe(operation)}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  }
  return sections
    .map(({ heading, entries }) => ({ heading, entries: entries.filter(isFound) }))
    .filter(({ entries }) => entries.length > 0)
}
