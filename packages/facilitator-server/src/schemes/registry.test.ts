import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findScheme, schemes } from './registry.ts'

const NETWORKS = new Map([
  ['eip155', 'eip155:84532'],
  ['solana', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
])
const settled = schemes.filter(({ isVerifiedOnly }) => !isVerifiedOnly)

it('finds the scheme of a settlement by its name, its network and the contract of its nonce', () => {
  for (const scheme of settled) {
    const network = NETWORKS.get(scheme.namespace) ?? ''
    const stored = { scheme: scheme.name, network, domain: scheme.domain ?? 'the asset' }
    expect(findScheme(stored)).toBe(scheme)
  }
})

it('finds no scheme for a name, or a kind of network, that is not served', () => {
  expect(() => findScheme({ scheme: 'deferred', network: 'eip155:1', domain: '' })).toThrow(
    'no scheme deferred',
  )
  expect(() => findScheme({ scheme: 'exact', network: 'near:mainnet', domain: '' })).toThrow(
    'on near:mainnet',
  )
})

/** The folders that are the same for every scheme. */
const NEUTRAL = ['engine', 'ledger', 'chains', 'events', 'screening']
/** Files that still name a scheme. Remove one as soon as it does not. */
const EXCEPTIONS: readonly string[] = []

it('names schemes and their contracts in the folder of schemes only, so that a new one changes no other', () => {
  const source = join(import.meta.dirname, '..')
  const names = schemes.flatMap(({ name, domain = `'${name}'` }) => [`'${name}'`, domain])
  const words = /permit2|eip-?3009|batch-settlement|channel|voucher|auth-?capture|escrow|\bupto\b|0x4020/i
  const named = NEUTRAL.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|sql)$/.test(file) && !/\.test\.ts$|testing|migrations/.test(file))
      .map((file) => `${folder}/${file}`)
      .filter((file) => {
        const text = readFileSync(join(source, file), 'utf8').replaceAll('upTo', '')
        return words.test(text) || names.some((name) => text.includes(name))
      }),
  )
  expect(named).toEqual(EXCEPTIONS)
})
