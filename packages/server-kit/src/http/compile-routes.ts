import type { Issue } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import { createLimitCheck } from './field-limits.ts'
import type { Route } from './implement.ts'
import { getTextTypes } from './read-input.ts'
import { compareRoutes } from './routing.ts'

/** A route with everything that does not depend on a call. */
export interface CompiledRoute<Context> extends Route<Context> {
  readonly checkLimits: (input: Record<string, unknown>) => Issue | undefined
  /** The path in Hono's syntax. */
  readonly honoPath: string
  readonly pattern: RegExp
  /** Matches the path with any text in place of a number. The numbers' texts are its named groups. */
  readonly lenientPattern: RegExp
}

/** Compiles the routes, in the order in which their paths are matched. */
export function compileRoutes<Context>(routes: readonly Route<Context>[]): readonly CompiledRoute<Context>[] {
  return routes.map(compileRoute).sort((a, b) => compareRoutes(a.operation, b.operation))
}

function compileRoute<Context>(route: Route<Context>): CompiledRoute<Context> {
  const { operation, limits } = route
  const strict = replaceParameters(operation, (_, isNumber) => (isNumber ? '[0-9]+' : '[^/]+'))
  const lenient = replaceParameters(operation, (name, isNumber) => (isNumber ? `(?<${name}>[^/]+)` : '[^/]+'))
  return {
    ...route,
    checkLimits: createLimitCheck(operation, limits),
    honoPath: replaceParameters(operation, (name, isNumber) => `:${name}${isNumber ? '{[0-9]+}' : ''}`),
    pattern: new RegExp(`^${strict}$`),
    lenientPattern: new RegExp(`^${lenient}$`),
  }
}

/**
 * Replaces the parameters of an operation's path. A number accepts only digits, so that it never matches a
 * literal segment.
 */
function replaceParameters(
  { path, params = {} }: OperationShape,
  format: (name: string, isNumber: boolean) => string,
): string {
  const types = getTextTypes(params)
  return path.replace(/\{(\w+)\}/g, (_, name: string) => format(name, types.get(name) === 'number'))
}

/** Returns the methods that a path supports: none when no operation has the path. */
export function listAllowedMethods(routes: readonly CompiledRoute<never>[], path: string): readonly string[] {
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation.method)
}

/**
 * Finds the route whose path matches except for a parameter that must be a number, and returns it with the
 * name of the parameter.
 */
export function findRouteWithInvalidParam<Context>(
  routes: readonly CompiledRoute<Context>[],
  method: string,
  path: string,
): { route: CompiledRoute<Context>; invalidParam: string } | undefined {
  for (const route of routes) {
    if (route.operation.method !== method) continue
    const numbers = Object.entries(route.lenientPattern.exec(path)?.groups ?? {})
    const invalid = numbers.find(([, text]) => !/^[0-9]+$/.test(text))
    if (invalid) return { route, invalidParam: invalid[0] }
  }
  return undefined
}
