import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { ResourceListing } from '../payment/listing.ts'

const MAX_WORDS = 48
const MAX_WORD_CHARACTERS = 64

/**
 * Reads the words of a listing as the text search configuration `english` has them: word stems, without stop
 * words.
 */
export async function readWords(trx: Kysely<Tables>, listing: ResourceListing): Promise<string[]> {
  const { resource, action, type, description = '', serviceName = '', tags = [] } = listing
  const path = resource.replace(/^https?:\/\//, '').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const text = [serviceName, tags.join(' '), type === 'mcp' ? action : '', path, description].join(' ')
  return readSearchWords(trx, text.replaceAll('_', ' '), MAX_WORDS)
}

/** Returns the stems of the words of a text, at most `maxWords` in the order of the text. */
export async function readSearchWords(db: Kysely<Tables>, text: string, maxWords: number): Promise<string[]> {
  // Without signs the parser finds words only, instead of hosts, paths and numbers with signs.
  const plain = text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const { rows } = await sql<{ word: string }>`
    select l.lexeme as word from unnest(to_tsvector('english', ${plain})) as l
    where length(l.lexeme) <= ${MAX_WORD_CHARACTERS}
    order by l.positions[1], l.lexeme limit ${maxWords}`.execute(db)
  return rows.map(({ word }) => word)
}
