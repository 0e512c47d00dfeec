/** A token that is accepted without configuration. */
export interface KnownAsset {
  /** Lower-case. */
  address: string
  /** EIP-712 domain, as a seller's requirements must state it in `extra`. */
  name: string
  version: string
}

/** The names of networks in x402 version 1, as in the npm package `@x402/evm` 2.27, and their chain ids. */
export const version1Networks: ReadonlyMap<string, number> = new Map([
  ['ethereum', 1],
  ['sepolia', 11155111],
  ['base', 8453],
  ['base-sepolia', 84532],
  ['avalanche', 43114],
  ['avalanche-fuji', 43113],
  ['polygon', 137],
  ['polygon-amoy', 80002],
  ['sei', 1329],
  ['sei-testnet', 1328],
  ['abstract', 2741],
  ['abstract-testnet', 11124],
  ['iotex', 4689],
  ['peaq', 3338],
  ['story', 1514],
  ['educhain', 41923],
  ['skale-base-sepolia', 324705682],
  ['megaeth', 4326],
  ['monad', 143],
  ['stable', 988],
  ['stable-testnet', 2201],
  ['celo', 42220],
  ['flare', 14],
])

const usdc = (address: string, name = 'USDC', version = '2'): KnownAsset => ({
  address: address.toLowerCase(),
  name,
  version,
})

/** Circle's USDC by chain id. 84532 is also the dev chain, whose token has the same address. */
export const knownAssets: ReadonlyMap<number, KnownAsset> = new Map([
  [1, usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin')],
  [11155111, usdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238')],
  [8453, usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin')],
  [84532, usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e')],
  [43114, usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USD Coin')],
  [43113, usdc('0x5425890298aed601595a70AB815c96711a31Bc65', 'USD Coin')],
  [137, usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin')],
  [80002, usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582')],
  [42161, usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USD Coin')],
  [421614, usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USD Coin')],
  [1329, usdc('0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392')],
  [1328, usdc('0x4fCF1784B31630811181f670Aea7A7bEF803eaED')],
  [42220, usdc('0xcebA9300f2b948710d2653dD7B07f33A8B32118C')],
  [143, usdc('0x754704Bc059F8C67012fEd69BC8A327a5aafb603')],
])
