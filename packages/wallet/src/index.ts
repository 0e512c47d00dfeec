export type { WalletInfo } from './wallet-info.ts'
export * as walletInfo from './wallet-info.ts'
