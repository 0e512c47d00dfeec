import { styleText } from 'node:util'
import type { Target } from './tour.ts'

/** Prints the calls of the tour, for people or as one line of JSON each. */
export interface Report {
  title(number: number, title: string, target: Target): void
  response(target: Target, status: number, data: unknown): void
  failure(target: Target, error: unknown): void
  end(counts: { readonly started: number; readonly succeeded: number }): void
}

/** Longer responses are cut. */
const MAX_LINES = 14

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function format(data: unknown): string {
  if (data === undefined) return '(no body)'
  const lines = JSON.stringify(data, null, 2).split('\n')
  const hidden = lines.length - MAX_LINES
  if (hidden > 0) lines.splice(MAX_LINES, hidden, `… ${hidden} more lines; --json shows all`)
  return lines.join('\n     ')
}

export const textReport: Report = {
  title: (number, title, { id, method, path }) =>
    console.log(
      `\n${styleText('bold', `${number}. ${title}`)}\n   ${styleText('dim', id)}  ${method} ${path}`,
    ),
  response: (_, status, data) => console.log(`   ${styleText('green', String(status))}  ${format(data)}`),
  failure: (_, error) => console.log(`   ${styleText('red', 'failed')}  ${messageOf(error)}`),
  end({ started, succeeded }) {
    const color = succeeded === started ? 'green' : 'red'
    console.log(`\n${styleText(color, `${succeeded} of ${started} calls succeeded.`)}`)
  },
}

export const jsonReport: Report = {
  title() {},
  response: ({ id, method, path }, status, data = null) =>
    console.log(JSON.stringify({ operation: id, method, path, status, data })),
  failure: ({ id, method, path }, error) =>
    console.log(JSON.stringify({ operation: id, method, path, error: messageOf(error) })),
  end() {},
}
