import { SpanKind } from '@opentelemetry/api'
import { isTraced, runInSpan, type SpanDescription } from './spans.ts'
import type { Tracing } from './tracing.ts'

/**
 * Runs a statement in a client span, if it belongs to a trace. The span has the command and the table,
 * neither text nor values.
 */
export async function traceStatement<Result>(
  tracing: Tracing | undefined,
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined || !isTraced()) return await run()
  return await runInSpan(tracing, describeStatement(text), run)
}

/** Most texts whose description is kept. */
const MAX_DESCRIPTIONS = 1000
const descriptions = new Map<string, SpanDescription>()

function describeStatement(text: string): SpanDescription {
  const existing = descriptions.get(text)
  if (existing !== undefined) return existing
  const { operation, target } = summarizeStatement(text)
  const summary = target === undefined ? operation : `${operation} ${target}`
  const description = {
    name: summary,
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      ...(target !== undefined && { 'db.collection.name': target }),
    },
  }
  if (descriptions.size < MAX_DESCRIPTIONS) descriptions.set(text, description)
  return description
}

const COMMENTS = /\/\*.*?\*\//gs
const COMMAND = /^[\s(]*([a-z]+)/i
/** A table with its schema after a keyword, or a function with its schema. */
const TARGET =
  /\b(?:from|into|update|join)\s+"?([a-z_]\w*)"?\."?([a-z_]\w*)"?|"?\b([a-z_]\w*)"?\."?([a-z_]\w*)"?\s*\(/i

/** Returns the command of a statement and the first table or function that it names with its schema. */
export function summarizeStatement(text: string): { operation: string; target: string | undefined } {
  const withoutComments = text.replace(COMMENTS, ' ')
  const operation = COMMAND.exec(withoutComments)?.[1]?.toUpperCase() ?? 'UNKNOWN'
  const [, tableSchema, table, functionSchema, functionName] = TARGET.exec(withoutComments) ?? []
  if (table !== undefined) return { operation, target: `${tableSchema}.${table}` }
  if (functionName !== undefined) return { operation, target: `${functionSchema}.${functionName}` }
  return { operation, target: undefined }
}
