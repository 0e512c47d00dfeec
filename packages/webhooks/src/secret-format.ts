import type { TextFormat } from '@mintmark/server-kit'

const MIN_BYTES = 24
const MAX_BYTES = 64

/** A signing secret of Standard Webhooks. */
export const SECRET_FORMAT: TextFormat = {
  description: `whsec_ and ${MIN_BYTES} to ${MAX_BYTES} random bytes in base64`,
  pattern: 'whsec_[A-Za-z0-9+/]{32,86}={0,2}',
  findProblem: (text) => (isSecret(text) ? undefined : `Expected ${SECRET_FORMAT.description}`),
}

function isSecret(text: string): boolean {
  if (!text.startsWith('whsec_')) return false
  const encoded = text.slice('whsec_'.length)
  const bytes = Buffer.from(encoded, 'base64')
  const isComplete = bytes.toString('base64') === encoded
  return isComplete && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES
}
