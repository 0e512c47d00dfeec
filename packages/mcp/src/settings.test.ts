import { expect, it } from 'vitest'
import { HELP, readSettings } from './settings.ts'

const GATEWAY = {
  MINTMARK_GATEWAY_URL: 'http://gateway.test',
  MINTMARK_API_KEY: 'key',
  MINTMARK_SECRET: 'secret',
}
const ASSET = 'eip155:8453/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAYER = { ...GATEWAY, MINTMARK_MCP_PRIVATE_KEY: `0x${'1'.repeat(64)}` }

it('readSettings reads services from the environment only, and allows no write by default', () => {
  const { application, http } = readSettings([], {
    ...GATEWAY,
    MINTMARK_FACILITATOR_URL: 'http://pay.test',
  })
  expect(application).toMatchObject({
    gateway: { baseUrl: 'http://gateway.test', apiKey: 'key', secret: 'secret' },
    facilitator: { baseUrl: 'http://pay.test' },
    allow: [],
    groups: [],
    payments: undefined,
  })
  expect(http).toBeUndefined()
})

it('readSettings reads lists with commas and repeated options', () => {
  const args = ['--allow', 'orders.*, promoCodeCards.create', '--allow', 'words.add', '--groups', 'cards']
  const { application } = readSettings(args, GATEWAY)
  expect(application).toMatchObject({
    allow: ['orders.*', 'promoCodeCards.create', 'words.add'],
    groups: ['cards'],
  })
})

it('readSettings reads budgets in base units', () => {
  const args = ['--pay-host', 'API.example.com', '--budget-day', `${ASSET}=5000000`]
  const { payments } = readSettings(args, PAYER).application
  expect(payments?.budgets.day).toEqual(new Map([[ASSET.toLowerCase(), 5_000_000n]]))
  expect(payments?.hosts).toEqual(['api.example.com'])
})

it.each([
  [['--pay-host', 'a.com', '--budget-day', `${ASSET}=5.00`], 'is malformed'],
  [['--pay-host', 'a.com', '--budget-day', '5000000'], 'is malformed'],
  [['--pay-host', 'a.com', '--budget-day', `${ASSET}=1,${ASSET}=2`], 'twice'],
  [['--pay-host', 'a.com', '--budget-session', `${ASSET}=1`], 'Pass --budget-day'],
  [['--budget-day', `${ASSET}=1`], 'Pass --pay-host'],
  [['--pay-host', 'https://a.com', '--budget-day', `${ASSET}=1`], '--pay-host https://a.com is not a host'],
  [['--pay-host', 'a.com:port', '--budget-day', `${ASSET}=1`], '--pay-host a.com:port is not a host'],
  [['--http', 'abc'], 'is not a number'],
  [['--alow', 'orders.*'], 'See --help'],
  [['orders.*'], 'See --help'],
])('readSettings rejects %j', (args, message) => {
  expect(() => readSettings(args, PAYER)).toThrow(message)
})

it('readSettings rejects payments without a key, and a gateway without credentials', () => {
  const args = ['--pay-host', 'a.com', '--budget-day', `${ASSET}=1`]
  expect(() => readSettings(args, GATEWAY)).toThrow('MINTMARK_MCP_PRIVATE_KEY')
  expect(() => readSettings([], { MINTMARK_GATEWAY_URL: 'http://gateway.test' })).toThrow('MINTMARK_SECRET')
})

it('the settings of mintmark-mcp are described by a help of 80 columns', () => {
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([])
})
