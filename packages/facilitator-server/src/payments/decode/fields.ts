/** A problem with one field of a body. */
export interface Issue {
  /** The dotted path from the root of the body. */
  path: string
  message: string
}

/** A JSON object of unknown content. */
export interface JsonObject {
  readonly [name: string]: unknown
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/
const DECIMAL = /^[0-9]{1,78}$/
const UINT256_END = 1n << 256n

/** A contract wallet's signature may be long (several owners, a passkey), but has a limit. */
const MAX_SIGNATURE_LENGTH = 2 + 2 * 4096

/** Reads the fields of one object. An invalid field adds an issue and reads as an empty value. */
export class FieldReader {
  readonly issues: Issue[] = []
  readonly #object: JsonObject
  readonly #path: string

  constructor(object: unknown, path: string) {
    this.#path = path
    this.#object = isObject(object) ? object : {}
    if (!isObject(object)) this.issues.push({ path, message: 'must be an object' })
  }

  text(name: string): string {
    const value = this.#own(name)
    return typeof value === 'string' && value !== ''
      ? value
      : this.#addIssue(name, 'must be a non-empty string', '')
  }

  address(name: string): string {
    return this.#matching(name, ADDRESS, 'must be an address: 0x and 40 hex digits')
  }

  nonce(name: string): string {
    return this.#matching(name, NONCE, 'must be 32 bytes: 0x and 64 hex digits')
  }

  signature(name: string): string {
    const value = this.#own(name)
    if (typeof value === 'string' && value.length <= MAX_SIGNATURE_LENGTH && BYTES.test(value)) {
      return value.toLowerCase()
    }
    return this.#addIssue(name, 'must be at most 4096 bytes: 0x and pairs of hex digits', '')
  }

  /** Reads a uint256 from a decimal string. */
  amount(name: string): bigint {
    const value = this.#own(name)
    if (typeof value === 'string' && DECIMAL.test(value)) {
      const number = BigInt(value)
      if (number < UINT256_END) return number
    }
    return this.#addIssue(name, 'must be a decimal number below 2^256 as a string', 0n)
  }

  seconds(name: string): number {
    const value = this.#own(name)
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
    return this.#addIssue(name, 'must be a positive number', 0)
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  #matching(name: string, pattern: RegExp, message: string): string {
    const value = this.#own(name)
    return typeof value === 'string' && pattern.test(value)
      ? value.toLowerCase()
      : this.#addIssue(name, message, '')
  }

  #addIssue<T>(name: string, message: string, empty: T): T {
    this.issues.push({ path: `${this.#path}.${name}`, message })
    return empty
  }
}
