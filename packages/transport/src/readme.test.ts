import { readFileSync } from 'node:fs'
import { Id, record } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/operation'
import { createGateway, withResponse } from '@mintmark/transport'
import { respondTo, testClient } from '@mintmark/transport/testing'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { envelope, misbehave } from '../testdata/misbehaving-server.ts'

it('runs the examples of the README', async () => {
  const server = await misbehave(envelope({ id: 7, name: 'seven' }, { 'x-request-id': 'r-1' }))
  const baseUrl = server.url

  const getCard = gatewayOperation({
    id: 'promoCodeCards.get',
    method: 'GET',
    path: '/api/v1/card/promoCodeCards/{id}',
    source: 'stated',
    params: { id: Id },
    data: record({ id: Id, name: v.string() }),
  })

  const gateway = createGateway({ baseUrl, credentials: { apiKey: 'mk_demo', secret: 'sk_demo' } })
  const card = await getCard(gateway, { id: 7 }, { timeout: 5000 })
  const { requestId } = await withResponse(getCard, gateway, { id: 7 })
  expect([card.name, requestId]).toEqual(['seven', 'r-1'])

  const fakeGateway = testClient('gateway', [respondTo(getCard, ({ id }) => ({ id, name: `card ${id}` }))])
  expect(await getCard(fakeGateway, { id: 3 })).toEqual({ id: 3, name: 'card 3' })
})

it('contains every line of the examples in the README', () => {
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const ownLines = lines(readFileSync(new URL(import.meta.url), 'utf8'))
  const readmeLines = [...readme.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => lines(code))
  expect(readmeLines.length).toBeGreaterThan(5)
  expect(readmeLines.filter((line) => line !== '' && !ownLines.includes(line))).toEqual([])
})
