import { type PresalePhase, PricedBy, WhitelistMode } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { getReadKey } from '../../api/operations.ts'
import { FormDialog } from '../dialogs.tsx'
import { usePhaseForm } from './phase-form.tsx'

const payTokenAddress = `0x${'ab'.repeat(20)}`
const chainId = '31337'
const nftAddress = `0x${'12'.repeat(20)}`
const phase = {
  name: 'Main',
  startTime: '2026-01-01T00:00:00.000Z',
  endTime: '2026-02-01T00:00:00.000Z',
  price: '1500000',
  payTokenAddress,
  pricedBy: PricedBy.CHAIN,
  whitelistMode: WhitelistMode.NONE,
} as PresalePhase

beforeEach(() => void vi.stubGlobal('location', { origin: 'https://gateway.example' }))
afterEach(() => vi.unstubAllGlobals())

/** Renders the dialog of a phase with the orders and listings that were read. */
function render(paid: object | undefined): string {
  const client = new QueryClient()
  for (const operation of [orders.list, commonSales.list]) {
    const key = getReadKey(undefined, operation, { pageSize: MAX_PAGE_SIZE })
    if (paid !== undefined) client.setQueryData(key, { list: [paid] })
  }
  const presale = { nftAddress, phases: [phase] } as never
  const dialog = createElement(FormDialog, {
    title: 'Edit phase',
    useForm: () => usePhaseForm({ program: 'lazyMinting', chainId, presale, phase }),
    onClose: () => {},
  })
  return renderToString(createElement(QueryClientProvider, { client }, dialog))
}

it('shows the price of a phase in whole tokens', () => {
  expect(render({ chainId, payTokenAddress, payTokenDecimals: 6 })).toMatch(/name="price"[^>]*value="1.5"/)
})

it('shows no price of a phase before it is known how many decimals the token has', () => {
  expect(render(undefined)).not.toContain('name="price"')
})
