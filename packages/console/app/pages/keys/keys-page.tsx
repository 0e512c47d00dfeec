import { type ApiKey, apiKeys } from '@mintmark/admin'
import type { InputOf } from '@mintmark/operation'
import { Identifier } from '../../components/copy-button.tsx'
import { confirm, openForm, showSecret } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'
import { KeyStatus } from './key-status.tsx'
import { PublishableKeysSection } from './publishable-keys-section.tsx'
import { keyScopes, presetOptions, presetScopes } from './scopes.ts'

async function createKey(): Promise<void> {
  const created = await openForm({
    operation: apiKeys.create,
    fields: ({ preset }) => ({
      name: {
        kind: 'text',
        isRequired: true,
        label: t('Name'),
        description: t('What the key is for, such as the name of the program.'),
      },
      preset: { kind: 'radio', isRequired: true, label: t('What it may do'), options: presetOptions },
      ...(preset === 'own' && {
        scopes: {
          kind: 'choices',
          isRequired: true,
          options: keyScopes.map((scope) => ({ value: scope, label: scope })),
          label: t('Scopes'),
        },
      }),
      wallet: {
        kind: 'address',
        label: t('Wallet'),
        description: t('What the key does is done by this wallet, such as listing a token.'),
      },
    }),
    entered: { preset: 'everything' },
    // Without scopes, the key has all except those of people, keys and the audit log.
    toOperationInput: ({ preset, ...input }) =>
      ({ scopes: presetScopes[String(preset)], ...input }) as InputOf<typeof apiKeys.create>,
    title: t('Create key'),
  })
  if (created !== undefined) showKey(created)
}

/** Adds a secret to a key; the previous one ends later. */
async function rotateKey({ apiKey, name }: ApiKey): Promise<void> {
  const rotated = await openForm({
    operation: apiKeys.rotate,
    fields: {
      graceHours: {
        kind: 'integer',
        isRequired: true,
        label: t('Hours until the previous secret ends'),
        description: t('From 0 to 8,760. Until then both secrets are valid.'),
      },
    },
    fixed: { apiKey },
    initial: { graceHours: 24 },
    isDismissable: true,
    title: t('Replace the secret of {name}', { name }),
    action: t('Create a new secret'),
  })
  if (rotated !== undefined) showKey(rotated)
}

const showKey = ({ name, apiKey, secret = '' }: ApiKey) =>
  void showSecret({
    title: t('Secret of {name}', { name }),
    notice: {
      title: t('Copy the secret now'),
      advice: t('It is shown only once. Store it where the program reads its secrets, not in its code.'),
    },
    texts: { [t('Key')]: apiKey, [t('Secret')]: secret },
  })

const revokeKey = ({ apiKey, name }: ApiKey) =>
  confirm({
    operation: apiKeys.revoke,
    input: { apiKey },
    title: t('Revoke {name}?', { name }),
    text: t('Within a second, the gateway accepts no call with this key. This cannot be undone.'),
    action: t('Revoke'),
    done: t('{name} is revoked', { name }),
  })

/** The keys of a project: creating them, replacing their secrets, and revoking them. */
export const KeysPage = defineResource(apiKeys.list, {
  title: t('API keys'),
  description: t(
    'Programs sign their calls with a key. Give each program a key of its own, with the scopes it needs.',
  ),
  actions: () => [{ label: t('Create key'), kind: 'primary', icon: 'plus', onSelect: createKey }],
  columns: {
    name: { label: t('Name'), cell: ({ name }) => <strong>{name}</strong> },
    apiKey: { label: t('Key'), cell: ({ apiKey }) => <Identifier value={apiKey} /> },
    scopes: { label: t('Scopes'), cell: ({ scopes }) => formatScopes(scopes) },
    wallet: { label: t('Wallet'), isWideOnly: true },
    createTime: t('Created'),
    revokeTime: { label: t('Status'), cell: (key) => <KeyStatus apiKey={key} /> },
  },
  getKey: ({ apiKey }) => apiKey,
  nameOf: ({ name }) => name,
  rowActions: (key) =>
    key.revokeTime === undefined
      ? [
          { label: t('Replace the secret'), onSelect: () => rotateKey(key) },
          { label: t('Revoke'), isDangerous: true, onSelect: () => revokeKey(key) },
        ]
      : [],
  empty: {
    icon: 'key',
    title: t('No keys yet'),
    advice: t('Create a key for the program that calls the gateway, such as your shop.'),
    adviceToRead: t('The keys of programs that call the gateway appear here.'),
  },
  below: <PublishableKeysSection />,
})

/** Formats the scopes of a key; `*` stands for all but those of the admin interface. */
function formatScopes(scopes: readonly string[]): string {
  const others = scopes.filter((scope) => scope !== '*').join(', ')
  if (!scopes.includes('*')) return others
  return others === ''
    ? t('All except people, keys and audit')
    : t('All of the shop, and {others}', { others })
}
