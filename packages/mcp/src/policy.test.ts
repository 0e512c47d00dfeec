import { expect, it } from 'vitest'
import { operations } from './catalog/operations.ts'
import { findAllowedWrites, findGroupOperations, isIrreversible } from './policy.ts'

it('findAllowedWrites accepts an id, a group and everything, and never a read', () => {
  expect([...findAllowedWrites(['promoCodeCards.create'])]).toEqual(['promoCodeCards.create'])
  const orders = [...findAllowedWrites(['orders.*'])].sort()
  expect(orders).toEqual([
    'orders.cancel',
    'orders.decline',
    'orders.payOrder',
    'orders.preOrder',
    'orders.recordRefund',
    'orders.removeUnsuccessful',
  ])
  const all = [...operations.values()].filter(({ effect }) => effect === 'write')
  expect(findAllowedWrites(['*']).size).toBe(all.length)
})

it('findAllowedWrites never accepts a change of who has access to a project', () => {
  for (const pattern of ['people.*', 'people.invite', 'apiKeys.create', 'apiKeys.*', 'session.get'])
    expect(() => findAllowedWrites([pattern])).toThrow('matches no write')
  const admin = [...operations.values()].filter(({ path }) => path.startsWith('/admin/'))
  expect(admin.map(({ id }) => id).toSorted()).toEqual([
    'apiKeys.list',
    'audit.list',
    'audit.verify',
    'dailyTotals.get',
    'operatorProjects.list',
    'operators.list',
    'people.list',
    'people.listInvitations',
    'projectSearch.find',
    'publishableKeys.list',
    'reports.redemptions',
    'reports.sales',
    'serverAudit.list',
    'serverAudit.verify',
    'serverHealth.get',
    'stuckMints.list',
    'stuckOrders.list',
  ])
})

it.each(['promoCodeCards.craete', 'order.*', 'promoCodeCards', 'promoCodeCards.get', ''])(
  'findAllowedWrites rejects %j, which matches no write',
  (pattern) => {
    expect(() => findAllowedWrites([pattern])).toThrow('matches no write')
  },
)

it('findGroupOperations accepts groups and areas', () => {
  expect(findGroupOperations(['orders']).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['orders.get', 'micropaymentOrders.get']),
  )
  expect(findGroupOperations(['promoCodeCards']).every(({ id }) => id.startsWith('promoCodeCards.'))).toBe(
    true,
  )
  expect(() => findGroupOperations(['order'])).toThrow('areas: audit, cards, contracts')
})

it('isIrreversible includes removals, redemptions, payments and signatures', () => {
  const ids = [
    'promoCodeCards.remove',
    'promoCodeCards.createVerification',
    'payments.settle',
    'offers.accept',
  ]
  const more = [
    'orders.preOrder',
    'orders.payOrder',
    'auctions.bid',
    'lazyMinting.mintSign',
    'payerQuotas.register',
  ]
  const irreversible = [...operations.values()].filter(isIrreversible).map(({ id }) => id)
  expect(irreversible).toEqual(expect.arrayContaining([...ids, ...more]))
})

it('isIrreversible excludes reads, creations and updates', () => {
  const ids = ['promoCodeCards.get', 'payments.verify', 'promoCodeCards.create', 'promoCodeCards.update']
  const more = ['commonSales.putOnShelf', 'commonSales.takeOffShelf', 'walletInfo.edit']
  const reversible = [...operations.values()].filter((each) => !isIrreversible(each)).map(({ id }) => id)
  expect(reversible).toEqual(expect.arrayContaining([...ids, ...more]))
})
