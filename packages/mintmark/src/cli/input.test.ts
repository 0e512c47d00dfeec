import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { listInputFields } from './fields.ts'
import { listGroups } from './operations.ts'
import { listNumberNames } from './output/named-numbers.ts'
import {
  createFolder,
  createRecorder,
  createStub,
  createTerminal,
  respondWith,
  runCommand,
  VARIABLES,
} from './testing/run-command.ts'

const card = {
  name: 'A free coffee',
  nftAddress: '0xa',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2027-01-01T00:00:00Z',
  totalIssued: 5,
}
// Loading the library of prompts takes long on a loaded machine.
const WAIT = { timeout: 60_000 }
const CREATE = ['promo-code-cards', 'create']

it('the input of a command is its file, with the fields that flags replace', async () => {
  const currentFolder = createFolder()
  await writeFile(join(currentFolder, 'card.json'), JSON.stringify(card))
  const { requests, fetch } = createStub(() => respondWith({}))
  const words = [...CREATE, '--input', 'card.json', '--name', 'Tea', '--applicable-stores', 'Berlin']
  await runCommand(words, { fetch, currentFolder })
  expect(requests.map(({ body }) => body)).toEqual([{ ...card, name: 'Tea', applicableStores: ['Berlin'] }])
})

it.each([
  ['[]', 'Expected a JSON object'],
  ['{"name":', 'Expected JSON'],
  [JSON.stringify({ ...card, color: 'red' }), '--color: Unknown field'],
  [JSON.stringify({ ...card, totalIssued: '5' }), '--total-issued: Expected number, received string'],
  [
    JSON.stringify({ ...card, startTime: '2026-01-01T10:00' }),
    '--start-time: 2026-01-01T10:00 has no time zone',
  ],
])('the input of a command from standard input is checked before it is sent: %s', async (text, message) => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const { exitCode, errors } = await runCommand([...CREATE, '--input', '-'], { fetch, text })
  expect([exitCode, requests]).toEqual([2, []])
  expect(errors).toContain(message)
})

it('the input of a command may begin with a byte order mark, which editors of Windows write', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const text = `\ufeff${JSON.stringify(card)}`
  const { exitCode } = await runCommand([...CREATE, '--input', '-'], { fetch, text })
  expect([exitCode, requests.map(({ body }) => body)]).toEqual([0, [card]])
})

it('the input of a command is refused unless it is UTF-8, because its letters would be replaced', async () => {
  const currentFolder = createFolder()
  const content = Buffer.from(JSON.stringify({ ...card, name: 'Café' }), 'latin1')
  await writeFile(join(currentFolder, 'card.json'), content)
  const { requests, fetch } = createStub(() => respondWith({}))
  const words = [...CREATE, '--input', 'card.json']
  const { exitCode, errors } = await runCommand(words, { fetch, currentFolder })
  expect([exitCode, requests]).toEqual([2, []])
  expect(errors).toContain('--input: card.json is not UTF-8. Save it as UTF-8')
})

it('the input of a command has a time zone in every time, because servers read a time without one as UTC', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const words = [...CREATE, '--input', '-', '--end-time', '2027-01-01 00:00:00.5']
  const { exitCode, errors } = await runCommand(words, { fetch, text: JSON.stringify(card) })
  expect([exitCode, requests]).toEqual([2, []])
  expect(errors).toContain('Append Z for UTC, or an offset such as +02:00')
  const offset = [...CREATE, '--input', '-', '--end-time', '2027-01-01T00:00:00+02:00']
  await runCommand(offset, { fetch, text: JSON.stringify(card) })
  expect(requests.map(({ body }) => body)).toEqual([{ ...card, endTime: '2027-01-01T00:00:00+02:00' }])
})

it.each([
  ['the file', ['--input', '-']],
  ['a flag', ['--cards', JSON.stringify([card, { ...card, endTime: '2027-01-01T00:00' }])]],
])(
  'the input of a command has a time zone in every time of a list of records, given by %s',
  async (_, flags) => {
    const { requests, fetch } = createStub(() => respondWith([]))
    const text = JSON.stringify({ cards: [card, { ...card, endTime: '2027-01-01T00:00' }] })
    const words = ['promo-codes', 'create-batch', ...flags]
    const { exitCode, errors } = await runCommand(words, { fetch, text })
    expect([exitCode, requests]).toEqual([2, []])
    expect(errors).toContain('--cards (1.endTime): 2027-01-01T00:00 has no time zone. Append Z for UTC')
  },
)

it('the input of a command is prompted for on a terminal, and an answer that is invalid is refused', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const input = createTerminal()
  const screen = createRecorder(true)
  const { startTime, endTime } = card
  const flags = ['--name', 'Tea', '--nft-address', '0xa', '--end-time', endTime]
  const done = runCommand([...CREATE, ...flags], {
    fetch,
    input,
    errors: screen.stream,
    variables: VARIABLES,
  })
  await vi.waitFor(() => expect(screen.read()).toContain('startTime'), WAIT)
  input.write(`${startTime}\r`)
  await vi.waitFor(() => expect(screen.read()).toContain('totalIssued'), WAIT)
  input.write('many\r')
  await vi.waitFor(() => expect(screen.read()).toContain('Expected a number, received "many"'), WAIT)
  for (const _ of 'many') input.write('\u007f')
  input.write('5\r')
  expect((await done).exitCode).toBe(0)
  expect(requests.map(({ body }) => body)).toEqual([{ ...card, name: 'Tea' }])
})

it('a command sends nothing when the person cancels a prompt', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const input = createTerminal()
  const screen = createRecorder(true)
  const done = runCommand(['promo-code-cards', 'get'], { fetch, input, errors: screen.stream })
  await vi.waitFor(() => expect(screen.read()).toContain('id'), WAIT)
  input.write('\u0003')
  expect((await done).exitCode).toBe(130)
  expect(requests).toEqual([])
})

it('the input of a command is not prompted for in continuous integration', async () => {
  const input = createTerminal()
  const variables = { ...VARIABLES, CI: 'true' }
  const screen = createRecorder(true)
  const settings = { input, variables, errors: screen.stream }
  const { exitCode } = await runCommand(['promo-code-cards', 'get'], settings)
  expect(exitCode).toBe(2)
  expect(screen.read()).toContain('Missing: --id')
})

it('--dry-run prints the request without the headers that authenticate it, and has the server validate it', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const words = [...CREATE, '--input', '-', '--dry-run', '--idempotency-key', 'k1']
  const { exitCode, output, errors } = await runCommand(words, { fetch, text: JSON.stringify(card) })
  expect([exitCode, errors]).toEqual([0, expect.stringContaining('would accept it')])
  const path = '/validate/api/v1/card/promoCodeCards/create'
  expect(requests).toMatchObject([{ url: `http://gateway.test${path}`, body: card }])
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key')
  expect(JSON.parse(output)).toEqual({
    method: 'POST',
    url: 'http://gateway.test/api/v1/card/promoCodeCards/create',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'x-api-key': '(redacted)',
      'x-signature': '(redacted)',
      'x-timestamp': '(redacted)',
    },
    body: card,
  })
})

it('--dry-run does not print the token of the facilitator', async () => {
  const words = ['webhooks', 'list', '--dry-run', '--output', 'table']
  const { output } = await runCommand(words)
  expect(output).toBe(
    'GET http://facilitator.test/webhooks\naccept: application/json\nauthorization: (redacted)\n',
  )
})

it.each([
  ['SUCCESS', '2'],
  ['in-progress', '1'],
  ['2', '2'],
])('a status that is a number is given by its name: %s', async (status, expected) => {
  const { requests, fetch } = createStub(() => respondWith({}))
  await runCommand(['orders', 'list', '--order-status', status, '--market-type', 'coupon'], { fetch })
  const { searchParams } = new URL(requests[0]?.url ?? '')
  expect([searchParams.get('orderStatus'), searchParams.get('marketType')]).toEqual([expected, '2'])
})

it('a status without that name is refused with the names', async () => {
  const { exitCode, errors } = await runCommand(['orders', 'list', '--order-status', 'SUCESS'])
  expect([exitCode, errors]).toEqual([2, expect.stringContaining('Did you mean SUCCESS?')])
  const choice = ['promo-codes', 'search', '--status', 'active']
  const { requests, fetch } = createStub(() => respondWith({}))
  await runCommand(choice, { fetch })
  expect(requests[0]?.url).toContain('status=ACTIVE')
})

it('a kind inside JSON is given by its name', async () => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const coupon = { couponType: 'PERCENT', value: '1000' }
  const words = [
    '--seller',
    '0x1',
    '--nft-address',
    '0x1',
    '--nft-id',
    '1',
    '--quantity',
    '1',
    '--pay-price',
    '1',
  ]
  await runCommand(['coupon-sales', 'put-on-shelf', ...words, '--coupon', JSON.stringify(coupon)], { fetch })
  expect(requests[0]?.body).toMatchObject({ coupon: { couponType: 1 } })
})

it('every number of an input that is a kind or a status has names', () => {
  const fields = listGroups().flatMap(({ operations }) =>
    operations.flatMap(({ operation }) => listInputFields(operation)),
  )
  const named = fields.filter(({ name, kind }) => kind === 'number' && /(?:Status|Type|Kind)$/.test(name))
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter(({ name }) => listNumberNames(name).length === 0).map(({ name }) => name)).toEqual([])
})

const refuseWith = (msg: string) =>
  Response.json({ code: 404, data: {}, msg, success: false }, { status: 404 })

it('--dry-run ends like the call if the server would refuse it', async () => {
  const { fetch } = createStub(() => refuseWith('There is no card 7'))
  const { exitCode, errors } = await runCommand(['promo-codes', 'remove', '7', '--dry-run'], { fetch })
  expect([exitCode, errors]).toEqual([6, expect.stringContaining('There is no card 7')])
})

it.each([
  ['a read', ['orders', 'get', '7']],
  ['a call of the facilitator', ['webhooks', 'list']],
])('--dry-run sends nothing for %s, and says what was not checked', async (_, words) => {
  const { requests, fetch } = createStub(() => respondWith({}))
  const { errors } = await runCommand([...words, '--dry-run'], { fetch })
  expect([requests, errors]).toEqual([
    [],
    expect.stringContaining('Not executed. The fields were checked here'),
  ])
})

it('--dry-run says that the server does not validate such a call', async () => {
  const { fetch } = createStub(() => refuseWith('No operation has this path. The reference is at /docs'))
  const { exitCode, errors } = await runCommand(['promo-codes', 'remove', '7', '--dry-run'], { fetch })
  expect([exitCode, errors]).toEqual([
    0,
    expect.stringContaining('Not executed. The fields were checked here'),
  ])
})
