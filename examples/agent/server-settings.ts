export interface Permissions {
  /** The gateway, and an API key of the agent's own. */
  readonly gateway: { readonly baseUrl: string; readonly apiKey: string; readonly secret: string }
  /** The key of a wallet that holds no more than you would lose. */
  readonly privateKey: string
  /** The only host that the agent may pay. */
  readonly seller: string
  /** What it pays with: `eip155:8453/0x…`. */
  readonly asset: string
  /** The journal of writes and spending, which several runs share. */
  readonly stateFile: string
}

/** Two calls of a cent each, in base units of USDC. */
const SESSION_BUDGET = '20000'
const DAY_BUDGET = '1000000'

/**
 * Returns the options and the environment of the MCP server. They limit the agent, whatever its model
 * decides.
 */
export function createServerSettings({ gateway, privateKey, seller, asset, stateFile }: Permissions) {
  return {
    options: [
      '--allow=promoCodeCards.create',
      `--pay-host=${seller}`,
      `--budget-session=${asset}=${SESSION_BUDGET}`,
      `--budget-day=${asset}=${DAY_BUDGET}`,
      // The seller of the example has a private address.
      '--allow-private',
      `--state=${stateFile}`,
    ],
    env: {
      MINTMARK_GATEWAY_URL: gateway.baseUrl,
      MINTMARK_API_KEY: gateway.apiKey,
      MINTMARK_SECRET: gateway.secret,
      MINTMARK_MCP_PRIVATE_KEY: privateKey,
    },
  }
}
