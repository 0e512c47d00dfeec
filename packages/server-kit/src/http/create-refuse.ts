import { createDeclaredError, createFieldError, type RuleResponses } from './http-error.ts'
import type { Refuse } from './implement.ts'

/** Creates the functions with which a handler ends its call with an error, and its clock. */
export function createRefuse(rules: RuleResponses, now: () => number = Date.now): Refuse<never> {
  return {
    now,
    refuse(error: never, message?: string): never {
      throw createDeclaredError(error, rules, message)
    },
    invalid(field: string, message: string): never {
      throw createFieldError(field, message)
    },
  }
}
