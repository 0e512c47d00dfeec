import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a program needs to call the servers of a sandbox. */
export interface Credentials {
  /**
   * The options of `createGateway`. `apiKey` and `secret` are those of `credentials`, for
   * `createMcpApplication` and shells.
   */
  readonly gateway: {
    readonly baseUrl: string
    readonly credentials: { readonly apiKey: string; readonly secret: string }
    readonly apiKey: string
    readonly secret: string
  }
  /**
   * The options of `createFacilitator`. `token` is that of `credentials`. `payer` is the wallet of the
   * account.
   */
  readonly facilitator: {
    readonly baseUrl: string
    readonly credentials: { readonly token: string }
    readonly token: string
    readonly payer: string
  }
  /** The options of a `createFacilitator` whose client calls the operator interface. It changes with each start. */
  readonly operator: { readonly baseUrl: string; readonly credentials: { readonly token: string } }
  readonly chain: { readonly rpcUrl: string; readonly chainId: number; readonly token: string }
  /** Wallets with funds, by their roles. Their keys are public: never send them anything of value. */
  readonly accounts: {
    readonly buyer: AccountKey
    readonly creator: AccountKey
    readonly payer: AccountKey
    readonly others: readonly AccountKey[]
  }
  /** What demo data contains. Undefined without demo data. */
  readonly demo?: DemoContents
  /** How people sign in to the console. Undefined without demo data. */
  readonly console?: ConsoleCredentials
}

/** The key of a wallet. */
export interface AccountKey {
  readonly address: string
  readonly privateKey: `0x${string}`
}

/** How the people of the demo data sign in to the console. */
export interface ConsoleCredentials {
  readonly url: string
  /**
   * The email addresses of an owner, a manager, a member of the staff, and an auditor. The owner operates the
   * server too.
   */
  readonly emails: readonly string[]
  /** The password of all of them. */
  readonly password: string
}

/** The addresses and the unpaid order of the demo data. */
export interface DemoContents {
  /** The buyer. */
  readonly wallet: string
  /** The seller. */
  readonly creator: string
  readonly nftAddress: string
  readonly orderNo: string
}

/** The credentials of a sandbox with demo data. */
export interface DemoCredentials extends Credentials {
  readonly demo: DemoContents
}

function getFile(dataDir: string): string {
  return join(dataDir, 'credentials.json')
}

/** Reads the credentials of the latest start with this `dataDir`. Returns undefined before the first one. */
export async function readCredentials(dataDir: string): Promise<Credentials | undefined> {
  try {
    return JSON.parse(await readFile(getFile(dataDir), 'utf8')) as Credentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the file atomically. Only its owner can read it. Returns its path. */
export async function writeCredentials(dataDir: string, credentials: Credentials): Promise<string> {
  const file = getFile(dataDir)
  const temporary = `${file}.new`
  await writeFile(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, file)
  return file
}
