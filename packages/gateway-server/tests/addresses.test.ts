// Every operation checks the addresses of its input before its handler runs.
import { contracts } from '@mintmark/contracts'
import { fans } from '@mintmark/wallet'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChains } from '../src/chain/payment-chains.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'
import { newAddress, type SampleProject } from '../src/testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'addresses')
})
afterAll(() => gateway.close())

const CHECKSUMMED = getAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const wrongAddresses = [
  'bob',
  CHECKSUMMED.slice(2),
  CHECKSUMMED.slice(0, -1),
  `${CHECKSUMMED}0`,
  `0x${'g'.repeat(40)}`,
  `0X${'1'.repeat(40)}`,
  ` 0x${'1'.repeat(40)}`,
  `0x${'1'.repeat(39)}１`,
  // One letter of the other case: the checksum is wrong.
  CHECKSUMMED.replace('CbD', 'cbD'),
]

const ADDRESS_NAME =
  /^(?:.*address|owner|seller|.*recipient|creator|fan|sender|other|offerer|bidder|wallet|reservedFor)$/i

interface Inner {
  wrapped?: Inner
  pipe?: readonly Inner[]
  item?: Inner
  entries?: Record<string, Inner>
}

/** The fields of a schema that are named like addresses, with 0 for the first item of a list. */
function addressFields(schema: Inner, path: readonly string[]): string[][] {
  let core = schema
  while (core.wrapped) core = core.wrapped
  core = core.pipe?.[0] ?? core
  if (core.item) return addressFields(core.item, [...path, '0'])
  if (core.entries) {
    return Object.entries(core.entries).flatMap(([name, inner]) => addressFields(inner, [...path, name]))
  }
  const name = path.findLast((step) => step !== '0') ?? ''
  return ADDRESS_NAME.test(name) ? [[...path]] : []
}

/** A copy of the value with another one at the path. */
function replaceAt(value: unknown, [step, ...rest]: readonly string[], replacement: unknown): unknown {
  if (step === undefined) return replacement
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  Reflect.set(copy, step, replaceAt(Reflect.get(Object(value), step) ?? {}, rest, replacement))
  return copy
}

/** Their address is one of a street. */
const STREETS: ReadonlySet<string> = new Set(['stores.create', 'stores.update'])

const cases = samples.flatMap((each) => {
  if (STREETS.has(each.operation.id)) return []
  const { params, query, body } = each.operation
  const fields = addressFields({ entries: { ...params, ...query, ...body } as Record<string, Inner> }, [])
  return fields.map((path) => [each.operation.id, path.join('.'), { each, path }] as const)
})

it('finds the address fields of more than 100 operations', () => {
  expect(new Set(cases.map(([id]) => id)).size).toBeGreaterThan(100)
})

describe.each(cases)('%s', (_, field, { each, path }) => {
  it(`refuses a ${field} that is no address, with the field's path`, async () => {
    const input = (await each.input(project)) as Input
    for (const wrong of wrongAddresses) {
      const changed = replaceAt(input, path, wrong) as Input
      const { status, json } = await project.key.call(rawCallOf(each.operation, changed))
      expect(status, `${wrong}: ${JSON.stringify(json)}`).toBe(400)
      expect(json.data, wrong).toMatchObject({ issues: [{ path: field }] })
    }
  })
})

it('accepts an address in checksum, lower and upper case, and stores it in lower case', async () => {
  const digits = CHECKSUMMED.slice(2)
  for (const address of [CHECKSUMMED, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
    const stored = await fans.add(project.client, { fan: newAddress(), address })
    expect(stored.address).toBe(CHECKSUMMED.toLowerCase())
  }
})

it('says what is wrong with an address', async () => {
  const refusal = (address: string) => fans.isFan(project.client, { fan: newAddress(), address })
  await expect(refusal('bob')).rejects.toThrow('address: Expected an address: 0x and 40 hexadecimal digits')
  await expect(refusal(CHECKSUMMED.replace('CbD', 'cbD'))).rejects.toThrow(
    'address: Checksum of this address is wrong. Check its digits, or write it in lower case',
  )
})

describe('registering a contract', () => {
  const contract = (chainId: string) => ({
    nftAddress: newAddress(),
    name: 'Prints',
    nftType: 'ERC721',
    chainId,
  })

  it('registering a contract refuses a chain that is not among CHAINS', async () => {
    await expect(contracts.add(project.client, contract('5'))).rejects.toThrow(
      'chainId: Chain 5 is not among the chains of this gateway: 84532. Set allowUnknownChain to register it anyway',
    )
  })

  it('registering a contract accepts a chain that is not among CHAINS where the caller allows it', async () => {
    const added = await contracts.add(project.client, { ...contract('5'), allowUnknownChain: true })
    expect(added).toMatchObject({ chainId: '5' })
  })

  it('registering a contract accepts any chain where CHAINS is not set', async () => {
    const without = await testGateway({ chains: noChains })
    try {
      const { client } = await sampleProject(without, 'no-chains')
      expect(await contracts.add(client, contract('5'))).toMatchObject({ chainId: '5' })
    } finally {
      await without.close()
    }
  })
})
