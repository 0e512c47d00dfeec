/** What is wrong with one field of a body. */
export interface Issue {
  /** Dotted, from the body's root. */
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

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const noncePattern = /^0x[0-9a-fA-F]{64}$/
const bytesPattern = /^0x(?:[0-9a-fA-F]{2})*$/
const decimalPattern = /^[0-9]{1,78}$/
const endOfUint256 = 1n << 256n

/** A contract wallet's signature may be long (several owners, a passkey's data), but not a way to send us megabytes. */
const longestSignature = 2 + 2 * 4096

/** Reads fields of one object; a field that is not what it must be adds an issue and reads as an empty value. */
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
    return typeof value === 'string' && value !== '' ? value : this.#wrong(name, 'must be a text', '')
  }

  address(name: string): string {
    return this.#matching(name, addressPattern, 'must be an address: 0x and 40 hex digits')
  }

  nonce(name: string): string {
    return this.#matching(name, noncePattern, 'must be 32 bytes: 0x and 64 hex digits')
  }

  signature(name: string): string {
    const value = this.#own(name)
    if (typeof value === 'string' && value.length <= longestSignature && bytesPattern.test(value)) {
      return value.toLowerCase()
    }
    return this.#wrong(name, 'must be at most 4096 bytes: 0x and pairs of hex digits', '')
  }

  /** A uint256 as a decimal text. */
  amount(name: string): bigint {
    const value = this.#own(name)
    if (typeof value === 'string' && decimalPattern.test(value)) {
      const number = BigInt(value)
      if (number < endOfUint256) return number
    }
    return this.#wrong(name, 'must be a decimal number as a text, below 2^256', 0n)
  }

  seconds(name: string): number {
    const value = this.#own(name)
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
    return this.#wrong(name, 'must be a positive number', 0)
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  #matching(name: string, pattern: RegExp, message: string): string {
    const value = this.#own(name)
    return typeof value === 'string' && pattern.test(value)
      ? value.toLowerCase()
      : this.#wrong(name, message, '')
  }

  #wrong<T>(name: string, message: string, empty: T): T {
    this.issues.push({ path: `${this.#path}.${name}`, message })
    return empty
  }
}
