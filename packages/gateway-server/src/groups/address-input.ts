import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OperationShape } from '@mintmark/operation'
import type { Refuse, Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../context.ts'
import { addressProblem } from './address-rules.ts'

type Invalid = Refuse<never>['invalid']

/** Input fields that hold an address, or a list of addresses, in every operation that has them and at any depth. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set([
  'address',
  'bidder',
  'creator',
  'fan',
  'nftAddress',
  'offerer',
  'other',
  'owner',
  'payTokenAddress',
  'primarySaleRecipient',
  'recipient',
  'reservedFor',
  'royaltyRecipient',
  'sender',
  'seller',
])

/** What is used of a valibot schema. */
interface Inner {
  readonly wrapped?: Inner
  readonly pipe?: readonly Inner[]
  readonly item?: Inner
  readonly entries?: Readonly<Record<string, Inner>>
}

/** A step of a path that stands for every item of a list. */
const EACH = '*'

type Path = readonly string[]

/** Checksums take tens of microseconds each: lists of thousands must not hold up other calls. */
const CHECKS_PER_TURN = 100

/** Refuses input with a malformed address before the route's handler runs. */
export function withAddressCheck(route: Route<GatewayContext>): Route<GatewayContext> {
  const paths = addressPaths(route.operation)
  if (paths.length === 0) return route
  return {
    ...route,
    async handle(input, context) {
      await checkAddresses(input, paths, context.invalid)
      return route.handle(input, context)
    },
  }
}

async function checkAddresses(input: unknown, paths: readonly Path[], invalid: Invalid): Promise<void> {
  let checks = 0
  for (const path of paths) {
    for (const { field, text } of textsAt(input, path, '')) {
      checks += 1
      if (checks % CHECKS_PER_TURN === 0) await nextTurn()
      // Where a field may be empty, its schema says so.
      const problem = text === '' ? undefined : addressProblem(text)
      if (problem !== undefined) invalid(field, problem)
    }
  }
}

function addressPaths({ params, query, body }: OperationShape): Path[] {
  // Valibot's types do not show what a schema of any kind is made of.
  const entries = { ...params, ...query, ...body } as unknown as Readonly<Record<string, Inner>>
  return collectPaths({ entries }, [], '')
}

function collectPaths(schema: Inner, path: Path, name: string): Path[] {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  const core = outer.pipe?.[0] ?? outer
  if (core.item) return collectPaths(core.item, [...path, EACH], name)
  if (core.entries) {
    return Object.entries(core.entries).flatMap(([key, inner]) => collectPaths(inner, [...path, key], key))
  }
  return ADDRESS_FIELDS.has(name) ? [path] : []
}

function* textsAt(
  value: unknown,
  [step, ...rest]: Path,
  field: string,
): Generator<{ field: string; text: string }> {
  if (step === undefined) {
    if (typeof value === 'string') yield { field, text: value }
  } else if (step === EACH) {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) yield* textsAt(item, rest, `${field}.${index}`)
  } else if (typeof value === 'object' && value !== null) {
    yield* textsAt(Reflect.get(value, step), rest, field === '' ? step : `${field}.${step}`)
  }
}
