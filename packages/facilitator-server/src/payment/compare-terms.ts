import type { Issue } from './fields.ts'
import { reasons } from './reasons.ts'
import { type Refusal, refuse } from './refusal.ts'

const PATH = 'paymentPayload.accepted'

/**
 * Lists the terms in which what the payer accepted differs from the seller's requirements.
 *
 * @param names The names of the compared terms in a body, such as `extra.name`.
 */
export function listDifferences<Terms extends object>(
  accepted: Terms,
  required: Terms,
  names: Readonly<Partial<Record<keyof Terms, string>>>,
): Issue[] {
  return (Object.keys(names) as (keyof Terms)[])
    .filter((term) => accepted[term] !== required[term])
    .map((term) => ({
      path: `${PATH}.${names[term]}`,
      message: `Differs from paymentRequirements.${names[term]}, ${describe(required[term])}. Send the requirements that the payer accepted`,
    }))
}

const OWN_REASONS = [
  { path: `${PATH}.scheme`, reason: reasons.invalidScheme },
  { path: `${PATH}.network`, reason: reasons.networkMismatch },
]

/** Refuses what the payer accepted if it differs from the seller's requirements: see `listDifferences`. */
export function refuseDifferences<Terms extends object>(
  ...compared: Parameters<typeof listDifferences<Terms>>
): Refusal | undefined {
  const issues = listDifferences(...compared)
  for (const { path, reason } of OWN_REASONS) {
    const issue = issues.find((each) => each.path === path)
    if (issue !== undefined) return refuse(reason, [issue])
  }
  return issues.length === 0 ? undefined : refuse(reasons.invalidRequirements, issues)
}

function describe(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return text === '' ? 'which is not set' : `which is ${quote(text)}`
}

const MAX_QUOTED_CHARACTERS = 80

/** Quotes a caller's text in a message, shortened, so that it cannot be mistaken for our own. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text)
