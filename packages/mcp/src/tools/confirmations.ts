import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ElicitRequestFormParams, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { ToolError } from '../tool-error.ts'
import { toCanonicalJson } from '../writes/intent-key.ts'
import type { ToolContext } from './tool.ts'

const TOKEN_LIFETIME_MS = 10 * 60_000

/** What a person confirms. */
export interface Subject {
  /** One sentence that says what happens. */
  readonly message: string
  /** Everything that the confirmation is bound to: the operation, the exact input, the intent. */
  readonly exact: object
  /** The token of an earlier refusal, if the caller repeats the call with it. */
  readonly token: string | undefined
}

/** The most that a client shows of a call. A call whose end nobody sees is not confirmed. */
const MAX_SHOWN_CHARACTERS = 8000

const CONFIRM_SCHEMA: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Confirm', description: 'It cannot be undone.' } },
  required: ['confirm'],
}

/**
 * Confirms calls that cannot be undone. A client that supports elicitation shows the question to its user.
 * With any other client the first call is refused with a token that confirms exactly this call of this
 * session.
 */
export class Confirmations {
  readonly #key = randomBytes(32)
  readonly #now: () => number

  readonly #mustElicit: boolean

  /** @param mustElicit refuses calls by clients that cannot show the question. */
  constructor(now: () => number, mustElicit: boolean) {
    this.#now = now
    this.#mustElicit = mustElicit
  }

  /** @throws ToolError unless the call is confirmed. */
  async require(subject: Subject, context: ToolContext): Promise<void> {
    if (context.supportsElicitation) {
      await this.#elicit(subject, context)
      return
    }
    if (this.#mustElicit) {
      throw new ToolError({
        kind: 'ConfirmationUnavailable',
        message: `${subject.message} This MCP client cannot show the question to the user. Nothing was sent`,
        whatToDo: 'Tell the user: use an MCP client that supports elicitation.',
      })
    }
    const text = toCanonicalJson([context.session, subject.exact])
    if (subject.token !== undefined && this.#isValid(text, subject.token)) return
    const isWrong = subject.token !== undefined
    throw new ToolError({
      kind: 'ConfirmationRequired',
      message: isWrong
        ? 'The confirmation has expired or belongs to another call. Nothing was sent'
        : `${subject.message} Nothing was sent`,
      whatToDo:
        'Show the user what the call does. If the user agrees, repeat the same call with `confirmation` within ten minutes.',
      confirmation: this.#createToken(text, this.#now() + TOKEN_LIFETIME_MS),
    })
  }

  async #elicit({ message, exact }: Subject, { sendRequest }: ToolContext): Promise<void> {
    const text = `${message}\n\n${JSON.stringify(exact, null, 2)}`
    if (text.length > MAX_SHOWN_CHARACTERS) {
      throw new ToolError({
        kind: 'ConfirmationUnavailable',
        message: `The call has ${text.length} characters, which is too long to confirm. Nothing was sent`,
        whatToDo: 'Split the call into smaller ones.',
      })
    }
    const params = { mode: 'form' as const, message: text, requestedSchema: CONFIRM_SCHEMA }
    const { action, content } = await sendRequest(
      { method: 'elicitation/create', params },
      ElicitResultSchema,
      { timeout: TOKEN_LIFETIME_MS },
    ).catch(refuseUnanswered)
    if (action === 'accept' && content?.confirm === true) return
    throw new ToolError({
      kind: 'Declined',
      message: 'The user did not confirm the call. Nothing was sent',
      whatToDo: 'Do not repeat the call unless the user says so.',
    })
  }

  #createToken(text: string, expiresAt: number): string {
    const mac = createHmac('sha256', this.#key).update(`${expiresAt} ${text}`).digest('base64url')
    return `${expiresAt.toString(36)}.${mac}`
  }

  #isValid(text: string, token: string): boolean {
    const expiresAt = Number.parseInt(token.split('.')[0] ?? '', 36)
    if (!(expiresAt > this.#now())) return false
    const expected = Buffer.from(this.#createToken(text, expiresAt))
    const received = Buffer.from(token)
    return expected.length === received.length && timingSafeEqual(expected, received)
  }
}

/** A question without an answer is no confirmation. */
function refuseUnanswered(): never {
  throw new ToolError({
    kind: 'ConfirmationUnavailable',
    message: 'The MCP client did not answer the question to its user. Nothing was sent',
    whatToDo: 'Repeat the call when the user is present.',
  })
}
