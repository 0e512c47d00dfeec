import { expect, it } from 'vitest'
import { type TestGateway, testGateway } from './gateway.ts'

const call = { path: '/api/v1/wallet/walletInfo', query: `address=0x${'1'.repeat(40)}` }

it.each<[string, (gateway: TestGateway) => string]>([
  ['the secret of a key', ({ key }) => key.secret],
  ['a signature', ({ key }) => key.request(call).headers.get('x-signature') ?? ''],
  ['a signature between other digits', ({ key }) => `0${key.request(call).headers.get('x-signature')}0`],
])('a test gateway fails to close when its log contains %s', async (_, findSecret) => {
  const gateway = await testGateway()
  await gateway.key.call(call)
  gateway.logged.push(`a line with ${findSecret(gateway)}.`)
  await expect(gateway.close()).rejects.toThrow('A secret or a signature was logged')
})
