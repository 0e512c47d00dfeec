import { expect, it } from 'vitest'
import { facilitatorPages, findPage, operatorPages, ownPages, projectPages } from './pages.ts'

it.each([
  ['/console/sign-in', ownPages['sign-in']],
  ['/console/invitation/a-token', ownPages['invitation/$token']],
  ['/console/p/12/orders', projectPages.orders?.load],
  ['/console/p/12/orders/', projectPages.orders?.load],
  ['/console/p/12/orders/A-1', projectPages['orders/$orderNo']?.load],
  ['/console/p/12/cards/promo-code/new', projectPages['cards/$program/new']?.load],
  ['/console/p/12/cards/promo-code/7', projectPages['cards/$program/$id']?.load],
  ['/console/operator/orders', operatorPages.orders],
  ['/console/operator/facilitator/accounts/5', facilitatorPages['accounts/$accountId']],
])('finds the scripts of the page %s', (pathname, load) => {
  expect(load).toBeDefined()
  expect(findPage(pathname)?.load).toBe(load)
})

it.each(['/console/', '/console', '/', '/console/p/12', '/console/p/12/orders/A-1/more', '/console/unknown'])(
  'finds no scripts for %s, which has no page of its own',
  (pathname) => {
    expect(findPage(pathname)).toBeUndefined()
  },
)

it('finds what a page reads first, and for which project', () => {
  expect(findPage('/console/p/12/orders')).toMatchObject({
    projectId: '12',
    firstReads: ['/api/v1/order/list?pageNumber=1&pageSize=20'],
  })
  expect(findPage('/console/operator/orders')).toEqual({ load: operatorPages.orders, projectId: undefined })
})
