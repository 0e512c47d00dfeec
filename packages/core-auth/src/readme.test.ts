import { readFileSync } from 'node:fs'
import { createSigner, createVerifier } from '@mintmark/core-auth'
import { expect, it } from 'vitest'

it('runs the example of the README', async () => {
  const seen = new Set<string>()

  const signer = createSigner({ credentials: { apiKey: 'mk_demo', secret: 'sk_demo' } })
  const request = {
    method: 'GET',
    path: '/api/v1/contract/info',
    query: 'nftAddress=0xaa',
    body: new Uint8Array(),
  }
  const headers = await signer.sign(request)

  const verifier = createVerifier({
    findKey: (apiKey) => (apiKey === 'mk_demo' ? { secrets: ['sk_demo'] } : undefined),
    remember: async (_key, signature) => seen.size < seen.add(signature).size,
  })
  const proof = {
    apiKey: headers['x-api-key'],
    signature: headers['x-signature'],
    timestamp: headers['x-timestamp'],
  }
  const verified = await verifier.verify({ ...request, ...proof }, { write: false })
  expect(verified.ok).toBe(true)
  const write = () => verifier.verify({ ...request, ...proof }, { write: true })
  expect([(await write()).ok, (await write()).ok]).toEqual([true, false])
})

it('contains every line of the example in the README', () => {
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const ownLines = lines(readFileSync(new URL(import.meta.url), 'utf8'))
  const readmeLines = [...readme.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => lines(code))
  expect(readmeLines.length).toBeGreaterThan(5)
  expect(readmeLines.filter((line) => line !== '' && !ownLines.includes(line))).toEqual([])
})
