import { Role, session } from '@mintmark/admin'
import { payments } from '@mintmark/facilitator'
import { operatorAccounts, operatorHealth, operatorSettlements } from '@mintmark/facilitator/operator'
import { createFacilitator } from '@mintmark/transport'
import { createSessionFacilitator, createSessionGateway } from '@mintmark/transport/browser'
import { expect, it } from 'vitest'
import { startSandbox } from './sandbox.ts'

/** Signs a person of the demo data in, and returns a `fetch` like that of a page of the console. */
async function signIn(url: string, email: string, password: string): Promise<typeof fetch> {
  const { origin } = new URL(url)
  const response = await fetch(`${origin}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(200)
  const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0])
  return async (input, init) => {
    const request = new Request(input, init)
    const headers = new Headers(request.headers)
    headers.set('cookie', cookie.join('; '))
    headers.set('origin', origin)
    return await fetch(new Request(request, { headers }))
  }
}

it('connects both servers, so that the owner of the demo data operates the facilitator', async () => {
  await using sandbox = await startSandbox({ demo: true })
  const { console: access } = sandbox.credentials
  if (access === undefined) throw new Error('The sandbox has no people')
  const baseUrl = new URL(access.url).origin
  const [email = ''] = access.emails
  const options = { baseUrl, retries: 0, fetch: await signIn(access.url, email, access.password) }
  const owner = await session.get(createSessionGateway(options))
  expect(owner).toMatchObject({ isOperator: true, hasFacilitator: true, projects: [{ role: Role.OWNER }] })

  const facilitator = createSessionFacilitator(options)
  await payments.settle(
    sandbox.facilitator,
    await sandbox.signPayment({ payTo: sandbox.accounts.creator.address }),
  )
  const { settlements } = await operatorSettlements.list(facilitator, { status: 'settled' })
  expect(settlements[0]).toMatchObject({ scheme: 'exact', method: 'eip3009' })
  const { chains } = await operatorHealth.get(facilitator)
  expect(chains).toMatchObject([{ chainId: sandbox.credentials.chain.chainId, problem: '' }])
  const id = settlements[0]?.accountId ?? 0
  const frozen = await operatorAccounts.freeze(facilitator, { id, reason: 'A test' })
  expect(frozen.frozenReason).toBe(`person:${owner.personId}: A test`)

  sandbox.faults.facilitator('unavailable')
  await expect(operatorHealth.get(facilitator)).rejects.toMatchObject({
    status: 503,
    reason: 'FacilitatorUnreachable',
  })
  await sandbox.faults.clear()
  await operatorAccounts.unfreeze(facilitator, { id, reason: 'The test has ended' })
})

it('has the key of the operator of the facilitator', async () => {
  await using sandbox = await startSandbox()
  const operator = createFacilitator(sandbox.credentials.operator)
  const { list } = await operatorAccounts.list(operator)
  expect(list).toMatchObject([{ payer: sandbox.credentials.facilitator.payer }])
})
