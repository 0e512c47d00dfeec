import type { Stop } from './stops.ts'

type Called = Stop['operation']

/** How a call's end is shown: to a person, or a line of JSON each. */
export interface Show {
  title(number: number, title: string, operation: Called): void
  answer(operation: Called, status: number, data: unknown): void
  failure(operation: Called, error: unknown): void
  end(succeeded: number, total: number): void
}

const colours = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = (text: string) => paint(1, text)
const dim = (text: string) => paint(2, text)
const green = (text: string) => paint(32, text)
const red = (text: string) => paint(31, text)

/** The answer in the width of a terminal: short ones whole, long ones by their first fields. */
function format(data: unknown): string {
  if (data === undefined) return '(no body)'
  const lines = JSON.stringify(data, null, 2).split('\n')
  const most = 14
  const shown =
    lines.length > most
      ? [...lines.slice(0, most), `… ${lines.length - most} more lines; --json shows all`]
      : lines
  return shown
    .map((line) => `     ${line}`)
    .join('\n')
    .trimStart()
}

export const forPeople: Show = {
  title: (number, title, operation) =>
    console.log(
      `\n${bold(`${number}. ${title}`)}\n   ${dim(operation.id)}  ${operation.method} ${operation.path}`,
    ),
  answer: (_, status, data) => console.log(`   ${green(String(status))}  ${format(data)}`),
  failure: (_, error) =>
    console.log(`   ${red('failed')}  ${error instanceof Error ? error.message : String(error)}`),
  end: (succeeded, total) => {
    const line = `${succeeded} of ${total} calls succeeded.`
    console.log(`\n${succeeded === total ? green(line) : red(line)}`)
  },
}

export const asJson: Show = {
  title() {},
  answer: ({ id, method, path }, status, data) =>
    console.log(JSON.stringify({ operation: id, method, path, status, data: data ?? null })),
  failure: ({ id, method, path }, error) =>
    console.log(
      JSON.stringify({
        operation: id,
        method,
        path,
        error: error instanceof Error ? error.message : String(error),
      }),
    ),
  end() {},
}
