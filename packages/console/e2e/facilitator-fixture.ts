import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import type { TestFacilitator } from '../../facilitator-server/src/testing.ts'
import { consoleTest, perFile } from './console-test.ts'

/** The token of the operators of a facilitator. */
export const OPERATOR_TOKEN = 'operator-token-of-the-console-0123456789'

interface FacilitatorTestFixtures {
  readonly chain: TestChain
  readonly facilitator: TestFacilitator
}

/** Creates the `test` of a file, whose tests share a facilitator and a console that shows it to operators. */
export function facilitatorTest(
  start: (chain: TestChain, stops: AsyncDisposableStack) => Promise<TestFacilitator>,
) {
  return consoleTest().extend<object, FacilitatorTestFixtures>({
    chain: perFile(() => testChain()),
    facilitator: [
      async ({ chain }, use) => {
        await using stops = new AsyncDisposableStack()
        const facilitator = await start(chain, stops)
        stops.defer(() => facilitator.close())
        await use(facilitator)
      },
      { scope: 'worker' },
    ],
    consoleOptions: [
      async ({ facilitator: { url } }, use) => {
        await use({ settings: { facilitator: { url, token: OPERATOR_TOKEN } } })
      },
      { scope: 'worker' },
    ],
  })
}
