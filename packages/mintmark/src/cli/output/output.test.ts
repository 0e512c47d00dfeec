import { expect, it } from 'vitest'
import { listGroups } from '../operations.ts'
import { createRecorder, createStub, respondWith, runCommand } from '../testing/run-command.ts'
import { COLUMN_ORDERS } from './column-order.ts'
import { formatCsv } from './csv.ts'
import { listColumns } from './rows.ts'
import { formatTable } from './table.ts'

const LIST = ['promo-code-cards', 'list']
const card = (id: number, more: object = {}) => ({
  applicableStores: '[]',
  backgroundImageUrl: '',
  chainId: '84532',
  createTimeLong: 1_767_225_600_000,
  endTime: '2027-01-01T00:00:00.000Z',
  id,
  logoUrl: '',
  name: `Card ${id}`,
  nftAddress: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  nftId: '',
  nftType: 'ERC721',
  projectId: 1,
  qrCodeUrl: `https://gateway.test/qr/1/${id}.svg`,
  startTime: '2026-01-01T00:00:00.000Z',
  totalIssued: 10,
  usageInstructions: '',
  isRedeemed: false,
  usedCount: 0,
  validityPeriod: '2027-01-01T00:00:00.000Z',
  ...more,
})

function toPage(pageNumber: number, totalPage: number, list: readonly object[]) {
  const [firstPage, lastPage] = [pageNumber === 1, pageNumber >= totalPage]
  const pageSize = 2
  return { firstPage, lastPage, list, orderBy: '', pageNumber, pageSize, paras: {}, totalPage, totalRow: 5 }
}

/** Responds with three pages of two, two and one card. */
function createPages() {
  return createStub(({ url }) => {
    const pageNumber = Number(new URL(url).searchParams.get('pageNumber') ?? 1)
    const ids = pageNumber === 3 ? [5] : [pageNumber * 2 - 1, pageNumber * 2]
    return respondWith(
      toPage(
        pageNumber,
        3,
        ids.map((id) => card(id)),
      ),
    )
  })
}

it('the result of a command is a table of at most 80 columns on a terminal, with the rest on standard error', async () => {
  const { fetch } = createPages()
  const { output, errors } = await runCommand(LIST, { fetch, isTerminal: true })
  expect(output).toMatch(/^id {2}name {4}usedCount {2}totalIssued {2}validityPeriod\n1 {3}Card 1 {2}0 /)
  expect(output).toMatch(/\nNot shown: chainId, endTime, nftAddress, nftType, projectId, qrCodeUrl,\s/)
  expect(output).toMatch(/ --json shows all\.\n$/)
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(errors).toBe('Page 1 of 3, 5 in total. --page-number 2 for the next, --all for all.\n')
})

it('the result of a command has the chosen fields of a list and of a record with --fields, complete, in any format', async () => {
  const { fetch } = createPages()
  const list = async (format: string) =>
    await runCommand([...LIST, '--fields', 'id, nft-address', '--output', format], {
      fetch,
      isTerminal: true,
    })
  const { nftAddress } = card(1)
  expect((await list('table')).output).toBe(`id  nftAddress\n1   ${nftAddress}\n2   ${nftAddress}\n`)
  expect((await list('csv')).output).toBe(`id,nftAddress\n1,${nftAddress}\n2,${nftAddress}\n`)
  const [first = ''] = (await list('json')).output.split('\n')
  expect(JSON.parse(first)).toEqual({ id: 1, nftAddress })
  const stub = createStub(() => respondWith(card(7)))
  const words = ['promo-code-cards', 'get', '7', '--fields', 'name']
  const { output } = await runCommand(words, { fetch: stub.fetch, isTerminal: true })
  expect(output).toBe('name  Card 7\n')
})

it('the result of a command is refused before the call if a chosen field does not exist', async () => {
  const { requests, fetch } = createPages()
  const misspelled = await runCommand([...LIST, '--fields', 'id,nftAdress'], { fetch })
  expect(misspelled.exitCode).toBe(2)
  expect(misspelled.errors).toContain('--fields: The result has no field nftAdress. Did you mean nftAddress?')
  const raw = await runCommand([...LIST, '--fields', 'id', '--output', 'raw'], { fetch })
  expect(raw.errors).toContain('--fields: The output raw has all fields. Use --output json')
  expect(requests).toEqual([])
})

it('the result of a command has the status of an order by name, and its amount', async () => {
  const order = {
    orderNo: 'A7',
    orderStatus: 1,
    payAmount: '1000',
    createTimeLong: 1,
    deleted: false,
    oday: 3,
  }
  const { fetch } = createStub(() => respondWith(toPage(1, 1, [order])))
  const { output } = await runCommand(['orders', 'list'], { fetch, isTerminal: true })
  expect(output).toMatch(
    /^orderNo {2}orderStatus {2}payAmount\nA7 {7}IN_PROGRESS {2}1000\nNot shown: oday\. /,
  )
})

it('the result of a command is one JSON line for each record without a terminal', async () => {
  const { fetch } = createPages()
  const { output, errors } = await runCommand(LIST, { fetch })
  const lines = output.split('\n').slice(0, -1)
  expect(lines.map((line) => JSON.parse(line))).toEqual([card(1), card(2)])
  expect(errors).toBe('')
})

it('the result of a command has the fields of the page with --output raw', async () => {
  const { fetch } = createPages()
  const { output } = await runCommand([...LIST, '--output', 'raw'], { fetch })
  expect(JSON.parse(output)).toMatchObject({ pageNumber: 1, totalRow: 5 })
})

it.each([
  ['json', 5],
  ['csv', 6],
  ['table', 8],
])('the result of a command has the records of all pages with --all as %s', async (format, lineCount) => {
  const { requests, fetch } = createPages()
  const { exitCode, output } = await runCommand([...LIST, '--all', '--output', format], { fetch })
  expect(exitCode).toBe(0)
  expect(requests).toHaveLength(3)
  expect(output.split('\n').slice(0, -1)).toHaveLength(lineCount)
  for (const id of [1, 2, 3, 4, 5]) expect(output).toContain(`Card ${id}`)
})

it.each([
  ['table', true, true],
  ['json', false, true],
  // The records of each page are printed on the terminal that would display the progress.
  ['json', true, false],
])(
  'the result of a command comes with the progress and the remaining time with --all as %s, if the output is a terminal: %s',
  async (format, isTerminal, isShown) => {
    const { fetch } = createPages()
    const terminal = createRecorder(true)
    await runCommand([...LIST, '--all', '--output', format], { fetch, isTerminal, errors: terminal.stream })
    if (!isShown) return expect(terminal.read()).toBe('')
    expect(terminal.read()).toMatch(/\r\S*1 of 3 pages, about \d+\w+ left\r/)
    expect(terminal.read()).toMatch(/3 of 3 pages\r\S*$/)
  },
)

it('the result of a command is a line for each field of a single record on a terminal', async () => {
  const { fetch } = createStub(() => respondWith(card(7)))
  const { output } = await runCommand(['promo-code-cards', 'get', '7'], { fetch, isTerminal: true })
  expect(output).toMatch(/^name {2,}Card 7$/m)
  expect(output).toMatch(/^nftAddress {2,}0x70997970c51812dc3a010c7d01b50e0d17dc79c8$/m)
})

it('the result of a command has a table for a list of records in a single record on a terminal', async () => {
  const event = { sequence: 8, type: 'order.paid', subject: 'order/1', data: { note: 'x'.repeat(200) } }
  const { fetch } = createStub(() => respondWith({ events: [event], next: 8, hasMore: false, newest: 8 }))
  const { output } = await runCommand(['events', 'list'], { fetch, isTerminal: true })
  expect(output).toMatch(/^next {5}8\nhasMore {2}false\nnewest {3}8\n\nevents:\ntype {8}sequence {2}subject/)
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it('the result of a command has one table for lists with a value for each day on a terminal', async () => {
  const resource = 'https://api.shop.example/v1/weather/:city'
  const totals = {
    payer: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    days: ['2026-03-30', '2026-03-31'],
    settled: [4, 0],
    charged: ['8', '0'],
    resources: [{ resource, settled: 4, total: '40000', network: 'eip155:84532', asset: '0x036c' }],
    networks: [],
  }
  const { fetch } = createStub(() => Response.json(totals))
  const { output } = await runCommand(['account-totals', 'get'], { fetch, isTerminal: true })
  expect(output).toMatch(/^days {8}settled {2}charged\n2026-03-30 {2}4 {8}8\n2026-03-31 {2}0 {8}0\n/m)
  expect(output).toContain(`\nresources:\nresource`)
  expect(output).toContain(`\n${resource}  4        40000  eip155:84532`)
})

it('a command says on a terminal that a list is empty, and prints no records', async () => {
  const { fetch } = createStub(() => respondWith({ ...toPage(1, 0, []), totalRow: 0 }))
  expect(await runCommand(LIST, { fetch, isTerminal: true })).toEqual({
    exitCode: 0,
    output: '',
    errors: 'No results.\n',
  })
  expect(await runCommand(LIST, { fetch })).toEqual({ exitCode: 0, output: '', errors: '' })
})

it.each(['table', 'json', 'csv'])(
  'the result of a command does not control the terminal with names of other people: %s',
  async (format) => {
    const name = 'Cheap\u001b]0;title\u0007\u009b2J\u202eevil\r\n'
    const { fetch } = createStub(() => respondWith(card(7, { name })))
    const words = ['promo-code-cards', 'get', '7', '--output', format]
    const { output } = await runCommand(words, { fetch, isTerminal: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal.
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    if (format === 'json') expect(JSON.parse(output).name).toBe(name)
  },
)

it('the result of a command warns about a response that a newer server changed, and shows it', async () => {
  const { fetch } = createStub(() => respondWith({ ...card(7), usedCount: 'none' }))
  const { exitCode, output, errors } = await runCommand(['promo-code-cards', 'get', '7'], { fetch })
  expect([exitCode, JSON.parse(output).usedCount]).toEqual([0, 'none'])
  expect(errors).toContain('Warning: data.usedCount of the response')
})

it('CSV output has cells that a spreadsheet does not execute', () => {
  const rows = [{ name: '=HYPERLINK("http://evil.test")' }, { name: '@SUM(1)' }, { name: 'a,"b"\nc' }]
  expect(formatCsv(['name'], rows, { header: true })).toBe(
    'name\n"\'=HYPERLINK(""http://evil.test"")"\n\'@SUM(1)\n"a,""b""\nc"\n',
  )
})

it('CSV output has objects and lists as JSON', () => {
  expect(formatCsv(['a', 'b'], [{ a: [1], b: undefined }], { header: false })).toBe('[1],\n')
})

const advice = '--json shows all.'

it('a table has orders of columns with fields that the records have', () => {
  const operations = listGroups().flatMap((group) => group.operations.map(({ operation }) => operation))
  for (const [id, order] of Object.entries(COLUMN_ORDERS)) {
    const lists = operations.filter((each) => each.id === id || each.id.startsWith(`${id}.`))
    const known = new Set(lists.flatMap(listColumns))
    expect([id, order.filter((name) => !known.has(name))]).toEqual([id, []])
  }
})

it('a table shows a URL whole or not at all, and names the fields that it leaves out', () => {
  const url = `https://gateway.test/qr/1/${'x'.repeat(27)}.svg`
  const rows = [{ id: 1, qrCodeUrl: url, nftId: '', deleted: false, createTimeLong: 7, stores: '[]' }]
  const format = (width: number) => formatTable([], rows, { width, advice })
  expect(format(40)).toBe('id\n1\nNot shown: qrCodeUrl. --json shows all.\n')
  expect(format(80)).toBe(`id  qrCodeUrl\n1   ${url}\n`)
})

it('a table cuts long values, and shows fields that only the response has', () => {
  const rows = [{ id: 1, note: 'x'.repeat(100), newField: true }]
  const table = formatTable(['id', 'note'], rows, { width: 60, advice })
  expect(table).toContain('newField')
  expect(table).toContain('xxx…')
  expect(table.split('\n').filter((line) => line.length > 60)).toEqual([])
})

it('a table never cuts an id, and shows the first column whatever the width', () => {
  const row = {
    orderNo: 'ORD-2026-11-30-0123456789ABCDEFGHIJ',
    nftId: '9'.repeat(40),
    name: 'x'.repeat(60),
    sender: `0x${'a'.repeat(40)}`,
  }
  const table = formatTable([], [row], { width: 200, advice: '' })
  expect(table).toContain(row.orderNo)
  expect(table).toContain(row.nftId)
  expect(table).toContain('xxx…')
  expect(table).toContain('0xaaaa…aaaa')
  expect(formatTable([], [row], { width: 40, advice: '' })).toContain(row.orderNo)
  const wallet = { address: `0x${'b'.repeat(40)}` }
  expect(formatTable([], [wallet], { width: 40, advice: '' })).toContain(wallet.address)
})

it('a table shows the names of kinds and statuses that are numbers', () => {
  const rows = [{ id: 1, orderStatus: 2, marketType: 9, couponType: 1 }]
  const table = formatTable([], rows, { width: 80, advice: '' })
  expect(table).toMatch(/1 +SUCCESS +LAZY_MINTING +PERCENT/)
})
