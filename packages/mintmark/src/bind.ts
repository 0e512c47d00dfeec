import type { Service } from '@mintmark/operation'

/** `F` without its first argument, the client. */
type WithoutClient<F> = F extends (client: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never

/** The functions of a paged operation that iterate over its pages and its items. */
type PagingName = 'pages' | 'items'

// Editors show the docstrings of members if their names are a parameter that extends `keyof`.
type BoundPaging<O, Name extends keyof O> = { readonly [N in Name]: WithoutClient<O[N]> }

/**
 * An operation that is bound to its client: `get(input, options)` instead of `get(client, input, options)`.
 * It keeps the operation's properties, such as `id` and `path`. A paged operation has `pages(input)` and
 * `items(input)`.
 */
export type BoundOperation<O> = WithoutClient<O> & Omit<O, PagingName> & BoundPaging<O, keyof O & PagingName>

type OperationNames<Group, S extends Service> = {
  [Name in keyof Group]: Group[Name] extends { readonly service: S } ? Name : never
}[keyof Group]

type BoundMembers<Group, Name extends keyof Group> = { readonly [N in Name]: BoundOperation<Group[N]> }

/** The operations of a group, and what else calls their service, bound to its client. */
export type BoundGroup<Group, S extends Service> = BoundMembers<Group, OperationNames<Group, S>>

type GroupNames<Module, S extends Service> = {
  [Name in keyof Module]: Module[Name] extends object
    ? [OperationNames<Module[Name], S>] extends [never]
      ? never
      : Name
    : never
}[keyof Module]

type BoundModule<Module, Name extends keyof Module, S extends Service> = {
  readonly [N in Name]: BoundGroup<Module[N], S>
}

/** The groups of a module that have operations of a service, bound to the client of the service. */
export type BoundGroups<Module, S extends Service> = BoundModule<Module, GroupNames<Module, S>, S>

type AnyFunction = (...args: readonly unknown[]) => unknown

/** An operation, or a function that calls operations, as it is bound: without its types. */
interface BindableOperation extends AnyFunction {
  readonly service: Service
  readonly pages?: AnyFunction
  readonly items?: AnyFunction
}

function isOperation(value: unknown): value is BindableOperation {
  return typeof value === 'function' && 'service' in value
}

function bindFunction(target: AnyFunction, client: object): AnyFunction {
  return (...args) => target(client, ...args)
}

function bindOperation(operation: BindableOperation, client: object): AnyFunction {
  const { pages, items } = operation
  const bound = Object.assign(bindFunction(operation, client), operation)
  if (pages === undefined || items === undefined) return bound
  return Object.assign(bound, { pages: bindFunction(pages, client), items: bindFunction(items, client) })
}

/** Binds every operation of the modules' groups that belongs to the client's service. */
export function bindGroups(
  modules: readonly object[],
  client: { readonly kind: Service },
): Record<string, Record<string, AnyFunction>> {
  const boundGroups: Record<string, Record<string, AnyFunction>> = {}
  for (const [groupName, group] of modules.flatMap((module) => Object.entries(module))) {
    const operations = Object.entries(group ?? {}).flatMap(([name, member]) =>
      isOperation(member) && member.service === client.kind ? [[name, bindOperation(member, client)]] : [],
    )
    if (operations.length > 0) boundGroups[groupName] = Object.fromEntries(operations)
  }
  return boundGroups
}

/** Lists the names of the modules' groups that have operations of a service. */
export function listGroups(modules: readonly object[], service: Service): string[] {
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([, group]) =>
      Object.values(group ?? {}).some((member) => isOperation(member) && member.service === service),
    )
    .map(([name]) => name)
}
