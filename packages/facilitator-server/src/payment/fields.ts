/** A problem with one field of a body. */
export interface Issue {
  /** The dotted path from the root of the body. */
  readonly path: string
  /** What is wrong with it, and what to send instead. Never contains the received value. */
  readonly message: string
}

/** A JSON object of unknown content. */
export interface JsonObject {
  readonly [name: string]: unknown
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether an object has a value that is not null under a name. */
export const isSet = (object: JsonObject, name: string): boolean =>
  Object.hasOwn(object, name) && object[name] !== undefined && object[name] !== null

/** Whether a value is an EVM address. */
export const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value)

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const BYTES = /^0x(?:[0-9a-fA-F]{2})*$/
const DECIMAL = /^[0-9]{1,78}$/
const UINT256_END = 1n << 256n

/** A contract wallet's signature may be long (several owners, a passkey), but has a limit. */
const MAX_SIGNATURE_LENGTH = 2 + 2 * 4096
/** `0x` and the digits of 65 bytes. */
const KEY_SIGNATURE_LENGTH = 2 + 2 * 65

/** What a field must be. */
interface Format {
  /** Follows "Expected". */
  readonly expected: string
  readonly example: string
}

const FORMATS = {
  address: {
    expected: 'an address: 0x and 40 hexadecimal digits',
    example: '"0x036CbD53842c5426634e7929541eC2318f3dCF7e"',
  },
  nonce: {
    expected: '32 bytes: 0x and 64 hexadecimal digits',
    example: `"0x${'f3746613c2d920b5'.repeat(4)}"`,
  },
  signature: {
    expected: 'a signature of at most 4096 bytes: 0x and two hexadecimal digits for each byte',
    example: '0x and 130 digits for the signature of a key',
  },
  keySignature: {
    expected: 'a signature of 65 bytes: 0x and 130 hexadecimal digits',
    example: `"0x${'2d6a7588'.repeat(16)}1b"`,
  },
  amount: {
    expected: 'an amount in base units: decimal digits in a text',
    example: '"10000" for 0.01 of a token with 6 decimals',
  },
  uint: { expected: 'a number below 2^256: decimal digits in a text', example: '"7"' },
  time: { expected: 'Unix seconds: decimal digits in a text', example: '"1767225600"' },
  seconds: { expected: 'a number of seconds above 0', example: '60' },
} as const satisfies Record<string, Format>

/** Describes a value that is not as expected, without the value. */
export function describeProblem(value: unknown, { expected, example }: Format): string {
  const problem =
    value === undefined ? `Required: ${expected}` : `Expected ${expected}, received ${describe(value)}`
  return `${problem}. Example: ${example}`
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value !== 'string') return `a ${typeof value}`
  return value === '' ? 'an empty text' : `a text of ${value.length} characters`
}

/** The issue of a value that must be an object. */
export const toObjectIssue = (value: unknown, path: string): Issue => ({
  path,
  message: value === undefined ? 'Required: an object' : `Expected an object, received ${describe(value)}`,
})

/** Reads the fields of one object. An invalid field adds an issue and reads as an empty value. */
export class FieldReader {
  readonly issues: Issue[] = []
  readonly #object: JsonObject
  readonly #path: string

  constructor(object: unknown, path: string) {
    this.#path = path
    this.#object = isObject(object) ? object : {}
    if (!isObject(object)) this.issues.push(toObjectIssue(object, path))
  }

  /** @param example As in JSON. */
  text(name: string, example: string): string {
    const value = this.#own(name)
    if (typeof value === 'string' && value !== '') return value
    return this.#reject(name, { expected: 'a text that is not empty', example }, '')
  }

  address(name: string): string {
    return this.#matching(name, ADDRESS, FORMATS.address)
  }

  nonce(name: string): string {
    return this.#matching(name, NONCE, FORMATS.nonce)
  }

  signature(name: string): string {
    const value = this.#own(name)
    const isSignature = typeof value === 'string' && value.length <= MAX_SIGNATURE_LENGTH && BYTES.test(value)
    return isSignature ? value.toLowerCase() : this.#reject(name, FORMATS.signature, '')
  }

  /** Reads the signature of a key, which no contract can make. */
  keySignature(name: string): string {
    const value = this.#own(name)
    const isSignature =
      typeof value === 'string' && value.length === KEY_SIGNATURE_LENGTH && BYTES.test(value)
    return isSignature ? value.toLowerCase() : this.#reject(name, FORMATS.keySignature, '')
  }

  /** Reads an amount in base units from a decimal string. */
  amount(name: string): bigint {
    return this.#decimal(name, FORMATS.amount)
  }

  /** Reads a uint256 that is no amount from a decimal string. */
  uint(name: string): bigint {
    return this.#decimal(name, FORMATS.uint)
  }

  /** Reads Unix seconds from a decimal string. */
  time(name: string): bigint {
    return this.#decimal(name, FORMATS.time)
  }

  seconds(name: string): number {
    const value = this.#own(name)
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
    return this.#reject(name, FORMATS.seconds, 0)
  }

  /** Adds an issue of a field that was read. */
  addIssue(name: string, message: string): void {
    this.issues.push({ path: `${this.#path}.${name}`, message })
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  #matching(name: string, pattern: RegExp, format: Format): string {
    const value = this.#own(name)
    return typeof value === 'string' && pattern.test(value)
      ? value.toLowerCase()
      : this.#reject(name, format, '')
  }

  #decimal(name: string, format: Format): bigint {
    const value = this.#own(name)
    if (typeof value === 'string' && DECIMAL.test(value)) {
      const number = BigInt(value)
      if (number < UINT256_END) return number
    }
    return this.#reject(name, format, 0n)
  }

  #reject<T>(name: string, format: Format, empty: T): T {
    this.addIssue(name, describeProblem(this.#own(name), format))
    return empty
  }
}
