import {
  type CredentialsSource,
  createSigner,
  createVerifier,
  type GatewayCredentials,
  resolveCredentials,
  type SignatureHeaders,
  type SignatureScheme,
  type VerificationFailure,
  v1,
} from '@mintmark/core-auth'
import { expectTypeOf } from 'vitest'

/* Credentials are a value, or a function that returns them or a promise of them. The secret can stay in a key service. */
const sources: readonly CredentialsSource<GatewayCredentials>[] = [
  { apiKey: '', secret: '' },
  { apiKey: '', sign: async () => new Uint8Array(32) },
  () => ({ apiKey: '', secret: '' }),
  async () => ({ apiKey: '', sign: () => new Uint8Array(32) }),
]
for (const credentials of sources) createSigner({ credentials })
createSigner({ credentials: { apiKey: '', secret: '' }, scheme: undefined, now: undefined })
// @ts-expect-error neither a secret nor a function that signs
createSigner({ credentials: { apiKey: '' } })
// @ts-expect-error a signature is bytes
createSigner({ credentials: { apiKey: '', sign: () => 'signed' } })
expectTypeOf(resolveCredentials({ apiKey: '', secret: '' })).toEqualTypeOf<
  { apiKey: string; secret: string } | Promise<{ apiKey: string; secret: string }>
>()

/* A signed call carries three headers. */
const request = { method: 'GET', path: '/', query: '', body: new Uint8Array() }
const signed = await createSigner({ credentials: { apiKey: '', secret: '' } }).sign(request)
expectTypeOf(signed).toEqualTypeOf<SignatureHeaders>()
expectTypeOf<keyof SignatureHeaders>().toEqualTypeOf<'x-api-key' | 'x-signature' | 'x-timestamp'>()
expectTypeOf(v1).toEqualTypeOf<SignatureScheme>()

/* A verified call has the server's own key with its additional fields. A rejected one has a reason. */
const verifier = createVerifier({
  findKey: (apiKey) => ({ secrets: [apiKey], project: 7 }),
  remember: async (key) => key.project === 7,
})
const signature = { apiKey: undefined, signature: undefined, timestamp: undefined }
const verified = await verifier.verify({ ...request, ...signature }, { write: true })
if (verified.ok) expectTypeOf(verified.key.project).toEqualTypeOf<number>()
else expectTypeOf(verified.reason).toEqualTypeOf<VerificationFailure>()
// @ts-expect-error the call may have been rejected
verified.key
// @ts-expect-error signatures are not recorded
createVerifier({ findKey: () => undefined })
// @ts-expect-error only writes are checked for replays, so `write` is required
verifier.verify({ ...request, ...signature })
