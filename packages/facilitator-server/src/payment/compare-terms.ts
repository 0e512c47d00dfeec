import type { Issue } from './fields.ts'

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
      path: `paymentPayload.accepted.${names[term]}`,
      message: `Differs from paymentRequirements.${names[term]}, ${describe(required[term])}. Send the requirements that the payer accepted`,
    }))
}

function describe(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return text === '' ? 'which is not set' : `which is ${quote(text)}`
}

const MAX_QUOTED_CHARACTERS = 80

/** Quotes a caller's text in a message, shortened, so that it cannot be mistaken for our own. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text)
