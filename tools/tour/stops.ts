import { devAccounts } from '@mintmark/devkit/chain/accounts'
import type { AnyOperation, CallResult, Client, DataOf, InputOf, OperationShape } from '@mintmark/operation'
import { withResponse } from '@mintmark/transport'

/** One stop of the tour: its title, and the call. */
export interface Stop {
  readonly title: string
  readonly operation: Pick<OperationShape, 'id' | 'path'> & { method: string }
  call(): Promise<CallResult>
}

/** Returns a function that makes stops with one call of an operation. `keep` stores what later stops need. */
export function stopsOf(client: Client<'gateway'> | Client<'facilitator'>) {
  return <O extends AnyOperation>(
    title: string,
    operation: O,
    input: () => InputOf<O> | Promise<InputOf<O>>,
    keep: (data: DataOf<O>) => void | Promise<void> = () => {},
  ): Stop => ({
    title,
    operation,
    async call() {
      // `O` relates input and data; `withResponse` cannot see that of a generic operation.
      const result = await withResponse(operation as never, client as never, (await input()) as never)
      await keep(result.data as DataOf<O>)
      return result
    },
  })
}

/** The dev chain's account with an address. */
export function accountOf(address: string) {
  const account = devAccounts.find((each) => each.address.toLowerCase() === address.toLowerCase())
  if (account === undefined) throw new Error(`${address} is not an account of the dev chain`)
  return account
}
