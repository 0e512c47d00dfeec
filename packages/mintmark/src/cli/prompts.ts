import type { CommandEnvironment } from './environment.ts'
import { CommandStatusError, ExitCode, UsageError } from './errors.ts'
import { type InputField, parseFieldText } from './fields.ts'
import type { Input } from './input.ts'
import { listIssues } from './schema-issues.ts'

/** Whether a person can answer questions. */
export function isInteractive({ input, errors, variables }: CommandEnvironment): boolean {
  return input.isTTY === true && errors.isTTY === true && variables.CI === undefined
}

/** Where prompts are shown and answered. Standard output has data only. */
function getStreams({ input, errors, signal }: CommandEnvironment) {
  return { input, output: errors, signal }
}

/** Loads the library of prompts, which other commands do not need. */
async function loadPrompts() {
  return await import('@clack/prompts')
}

/** Returns an answer, or ends the command when the person pressed Ctrl-C or Escape. */
async function getAnswer<T>(answer: Promise<T>): Promise<Exclude<T, symbol>> {
  const value = await answer
  if (typeof value === 'symbol') throw new CommandStatusError('Canceled', ExitCode.Interrupted)
  // The condition above excludes symbols, which the compiler does not derive for a type parameter.
  return value as Exclude<T, symbol>
}

function findProblem(field: InputField, text: string): string | undefined {
  try {
    const value = field.kind === 'list' ? splitList(text) : parseFieldText(field, text, field.name)
    const [issue] = listIssues(field.schema, value)
    return issue?.message
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Prompts for one field of an input. */
async function promptField(
  field: InputField,
  description: string,
  environment: CommandEnvironment,
): Promise<unknown> {
  const { confirm, select, text } = await loadPrompts()
  const message = description === '' ? field.name : `${field.name}: ${description}`
  const streams = getStreams(environment)
  if (field.kind === 'boolean') return await getAnswer(confirm({ ...streams, message }))
  if (field.kind === 'choice') {
    const options = field.choices.map((value) => ({ value: String(value), label: String(value) }))
    return parseFieldText(field, await getAnswer(select({ ...streams, message, options })))
  }
  const hint = field.kind === 'list' ? 'separated by commas' : field.placeholder
  const answer = await getAnswer(
    text({
      ...streams,
      message,
      placeholder: hint,
      validate: (value) => findProblem(field, value ?? ''),
    }),
  )
  return field.kind === 'list' ? splitList(answer) : parseFieldText(field, answer)
}

/** Prompts for the given fields and adds the answers to the input. */
export async function promptFields(
  fields: readonly InputField[],
  descriptions: Readonly<Record<string, string>>,
  input: Input,
  environment: CommandEnvironment,
): Promise<void> {
  for (const field of fields) {
    input[field.name] = await promptField(field, descriptions[field.name] ?? '', environment)
  }
}

/** Prompts for a text. */
export async function promptText(
  message: string,
  options: { readonly initial?: string; readonly validate?: (value: string) => string | undefined },
  environment: CommandEnvironment,
): Promise<string> {
  const { text } = await loadPrompts()
  const { initial = '', validate = () => undefined } = options
  const answer = text({
    ...getStreams(environment),
    message,
    initialValue: initial,
    validate: (value) => validate(value ?? ''),
  })
  return await getAnswer(answer)
}

/** Prompts for a secret, which is not shown. */
export async function promptSecret(message: string, environment: CommandEnvironment): Promise<string> {
  const { password } = await loadPrompts()
  const validate = (value: string | undefined) => (value ? undefined : 'Expected a text that is not empty')
  return await getAnswer(password({ ...getStreams(environment), message, validate }))
}

/** Prompts for a decision. */
export async function promptConfirmation(message: string, environment: CommandEnvironment): Promise<boolean> {
  const { confirm } = await loadPrompts()
  return await getAnswer(confirm({ ...getStreams(environment), message, initialValue: false }))
}
