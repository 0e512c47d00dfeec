import { ConfigurationError, createSealer, createSecretKey } from '@mintmark/server-kit'
import { hashMessage, recoverAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTenant } from '../database/tenant.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { createMinters, resealMinters } from './minters.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const hash = hashMessage('mint')

async function aProject(name: string) {
  const { projectId } = await gateway.newKey({ project: name })
  return openTenant(gateway.database, projectId)
}

it('creates one minter per project, also when several processes need it concurrently', async () => {
  const [tenant, other] = [await aProject('one'), await aProject('two')]
  const minters = createMinters(gateway.sealer)
  const addresses = await Promise.all(Array.from({ length: 8 }, () => minters.address(tenant)))
  expect(new Set(addresses).size).toBe(1)
  const [address] = addresses
  expect(await minters.address(other)).not.toBe(address)
  const signer = await recoverAddress({ hash, signature: await minters.sign(tenant, hash) })
  expect(signer.toLowerCase()).toBe(address)
})

it('a minter moves to a new key of SECRET_KEYS, and signs as before', async () => {
  const tenant = await aProject('resealed')
  const address = await createMinters(gateway.sealer).address(tenant)
  const fresh = createSecretKey('fresh')
  const both = createSealer(`${fresh},${gateway.secretKeys}`)
  expect(await resealMinters(gateway.owner.system, both)).toBeGreaterThan(0)
  expect(await resealMinters(gateway.owner.system, both)).toBe(0)
  const minters = createMinters(createSealer(fresh))
  const signer = await recoverAddress({ hash, signature: await minters.sign(tenant, hash) })
  expect(signer.toLowerCase()).toBe(address)
  await expect(createMinters(gateway.sealer).sign(tenant, hash)).rejects.toThrow(ConfigurationError)
})
