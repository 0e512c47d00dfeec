import assert from 'node:assert/strict'
import type { AnyOperation, GatewayClient, InputOf } from '@mintmark/operation'
import type { TestGateway, TestKey } from '../gateway.ts'
import { returnsList } from './beyond-limits.ts'

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
 * The response to another project, for an input that succeeds in the first one:
 * - `not found`: 404;
 * - `empty`: an empty page or list;
 * - `own`: a row of its own, because the operation uses nothing of other projects;
 * - data that reveals nothing, such as `{ isFan: false }`.
 */
export type OtherProject = 'not found' | 'empty' | 'own' | { readonly data: unknown }

/** How to call one operation; `every-operation.test.ts` runs all samples. */
export interface Sample<O extends AnyOperation = AnyOperation> {
  readonly operation: O
  /**
   * Creates what the call needs in a project, and returns an input that succeeds. It runs several times in
   * one project, so that what it creates must not conflict.
   */
  readonly input: (project: SampleProject) => InputOf<O> | Promise<InputOf<O>>
  readonly otherProject: OtherProject
  /**
   * Inputs that are refused by a rule beyond the fields' types and limits: the name of the field, and the
   * change of the input.
   */
  readonly refused?: readonly (readonly [field: string, change: Partial<InputOf<O>>])[]
  /** Fields that cannot be sent together with the others. */
  readonly notSent?: readonly string[]
  /** Fields that the response does not contain, although the operation stores or uses them. */
  readonly notReturned?: readonly string[]
  /** A part of the response. */
  readonly contains?: object
  /** Checks what of the response depends on the input. */
  readonly checkResponse?: (data: never, input: InputOf<O>) => void
}

type Parts<O extends AnyOperation> = Omit<Sample<O>, 'operation' | 'otherProject'> &
  Partial<Pick<Sample<O>, 'otherProject'>>

/**
 * Creates a sample with its operation's types. Unless the sample says otherwise, another project receives an
 * empty list from a list, and 404 from any other operation.
 */
export function sample<O extends AnyOperation>(operation: O, parts: Parts<O>): Sample {
  const otherProject = returnsList(operation) ? 'empty' : 'not found'
  // A list of samples contains operations of all types; each is called with its own input.
  return { operation, otherProject, ...parts } as unknown as Sample
}

let addressCount = 0

/** Returns an address that no other sample uses. */
export function newAddress(): string {
  addressCount += 1
  return `0x${(0xa0_0000_0000n + BigInt(addressCount)).toString(16).padStart(40, '0')}`
}

/** Creates something, and returns an input without fields. */
export const emptyInputAfter =
  (create: (project: SampleProject) => Promise<unknown>) =>
  async (project: SampleProject): Promise<Record<string, never>> => {
    await create(project)
    return {}
  }

/** Checks that a response has these fields, among others. */
export const has = (data: unknown, fields: object): void => assert.partialDeepStrictEqual(data, fields)
