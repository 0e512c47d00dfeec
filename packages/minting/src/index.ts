export * from './input-fields.ts'
export { Mint, MintCounts, MintSignature, Previews } from './mint-records.ts'
export { Eligibility, Presale, PresalePhase, WhitelistCount, WhitelistEntry } from './presale-records.ts'
export * from './rules.ts'
