import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { ConfigurationError } from '../environment.ts'

/** The place of an encrypted value. It cannot be decrypted for another place. */
export interface SealedPlace {
  table: string
  /** The project's or account's id. */
  project: number
  row: number | string
}

/**
 * Encrypts texts for storage by AES-256-GCM with the newest key, and decrypts them with the key whose id they
 * name.
 */
export interface Sealer {
  seal(text: string, place: SealedPlace): string
  open(sealed: string, place: SealedPlace): string
  /** Whether a value is encrypted with the newest key. */
  isCurrent(sealed: string): boolean
}

const TAG_BYTES = 16

/**
 * @param setting SECRET_KEYS: `id:key,…`, the newest first. A key is 32 bytes in base64.
 */
export function createSealer(setting: string): Sealer {
  const keys = setting.split(',').map((part) => {
    const [id, text] = part.trim().split(':')
    const key = Buffer.from(text ?? '', 'base64')
    if (!id || !/^[\w-]+$/.test(id) || key.length !== 32) {
      throw new ConfigurationError(
        'SECRET_KEYS: expected id:key,… where a key is 32 bytes in base64 (openssl rand -base64 32)',
      )
    }
    return { id, key }
  })
  const newest = keys[0]
  if (newest === undefined) throw new ConfigurationError('SECRET_KEYS: expected at least one key')
  const associated = ({ table, project, row }: SealedPlace) => Buffer.from(`${table}\n${project}\n${row}`)
  return {
    seal(text, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(associated(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${newest.id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },
    open(sealed, place) {
      const dot = sealed.indexOf('.')
      const id = sealed.slice(0, dot)
      const match = keys.find((key) => key.id === id)
      if (match === undefined)
        throw new ConfigurationError(
          `SECRET_KEYS: the key ${JSON.stringify(id)} is missing, and a stored secret needs it`,
        )
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url')
      try {
        // Without this length a truncated tag, which can be guessed, would be accepted.
        const options = { authTagLength: TAG_BYTES }
        const decipher = createDecipheriv('aes-256-gcm', match.key, bytes.subarray(0, 12), options)
        decipher.setAAD(associated(place)).setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        throw new ConfigurationError(
          `SECRET_KEYS: the key ${JSON.stringify(id)} does not open a stored secret. It is not the key that sealed it`,
        )
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${newest.id}.`),
  }
}

/** Creates a value for SECRET_KEYS. */
export function createSecretKey(id = 'k1'): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}
