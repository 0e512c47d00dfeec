import type { AnyOperation, GatewayClient, InputOf } from '@mintmark/operation'
import type { TestGateway, TestKey } from '../gateway.ts'

/** A project of a test gateway, with a key of every scope. */
export interface SampleProject {
  readonly gateway: TestGateway
  readonly projectId: number
  /** Signs by hand and sends anything. */
  readonly key: TestKey
  /** The real client, which calls the gateway in this process. */
  readonly client: GatewayClient
}

/**
 * What another project gets for an input that succeeds in the first one:
 * - `not found`: 404;
 * - `empty`: a page or a list with nothing in it;
 * - `own`: a row of its own, the operation taking nothing of anybody else's;
 * - data that tells nothing, such as `{ isFan: false }`.
 */
export type Elsewhere = 'not found' | 'empty' | 'own' | { readonly data: unknown }

/** How one operation is shown to work; `every-operation.test.ts` runs all of them. */
export interface Sample<O extends AnyOperation = AnyOperation> {
  readonly operation: O
  /**
   * Makes in a project what the call needs, and answers an input that then succeeds. It runs several times in one project: what it
   * makes must not be in the way of the next.
   */
  readonly given: (project: SampleProject) => InputOf<O> | Promise<InputOf<O>>
  readonly elsewhere: Elsewhere
  /** Inputs that a rule beyond the fields' types refuses: the field that is named, and what is changed of the input given. */
  readonly refused?: readonly (readonly [field: string, change: Partial<InputOf<O>>])[]
  /** What has to hold of the answer beyond its record's types. */
  readonly answers?: (data: never, input: InputOf<O>) => void
}

/** A sample with its operation's types. */
export function sample<O extends AnyOperation>(operation: O, parts: Omit<Sample<O>, 'operation'>): Sample {
  // A list of samples holds operations of all types; each is called with what its own `given` answers.
  return { operation, ...parts } as unknown as Sample
}

let made = 0

/** An address that no other sample uses. */
export function newAddress(): string {
  made += 1
  return `0x${(0xa0_0000_0000n + BigInt(made)).toString(16).padStart(40, '0')}`
}
