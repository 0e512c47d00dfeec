import { type PublishableKey, publishableKeys } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'
import { KeyStatus } from './key-status.tsx'
import { publishableScopes } from './scopes.ts'

const createKey = () =>
  openForm({
    operation: publishableKeys.create,
    fields: {
      name: {
        kind: 'text',
        isRequired: true,
        label: t('Name'),
        description: t('What the key is for, such as the website of the shop.'),
      },
      origins: {
        kind: 'lines',
        isRequired: true,
        label: t('Origins'),
        description: t(
          'One in each line: the pages that may use the key, such as https://shop.example or http://localhost:5173. At most 20.',
        ),
      },
      scopes: {
        kind: 'choices',
        options: publishableScopes.map((scope) => ({ value: scope, label: scope })),
        label: t('Scopes'),
        description: t('Without a choice, the key has both.'),
      },
    },
    toOperationInput: ({ name, origins, ...rest }) => ({
      ...rest,
      name: String(name ?? ''),
      origins: Array.isArray(origins) ? origins.map((text) => toOrigin(String(text))) : [],
    }),
    // A message about an origin names it, so its place in the list is left out.
    toFieldPath: (path) => path.split('.')[0] ?? path,
    title: t('Create publishable key'),
    done: ({ name }) => t('{name} is created', { name }),
  })

const revokeKey = ({ publishableKey, name }: PublishableKey) =>
  confirm({
    operation: publishableKeys.revoke,
    input: { publishableKey },
    title: t('Revoke {name}?', { name }),
    text: t(
      'Within a second, the gateway accepts no call with this key, so pages that use it show no catalog. This cannot be undone.',
    ),
    action: t('Revoke'),
    done: t('{name} is revoked', { name }),
  })

/** The keys for pages of a project: creating and revoking them. */
export function PublishableKeysSection(): ReactNode {
  return (
    <ResourceSection
      operation={publishableKeys.list}
      title={t('Publishable keys')}
      description={t(
        'A page in a browser reads the catalog of the shop with a publishable key. It is no secret: everybody can read what it reads, and it changes nothing.',
      )}
      actions={() => [{ label: t('Create publishable key'), icon: 'plus', onSelect: createKey }]}
      columns={{
        name: { label: t('Name'), cell: ({ name }) => <strong className="break">{name}</strong> },
        publishableKey: { label: t('Key'), cell: ({ publishableKey: key }) => <Identifier value={key} /> },
        origins: t('Origins'),
        scopes: { label: t('Scopes'), isWideOnly: true },
        createTime: t('Created'),
        revokeTime: { label: t('Status'), cell: (key) => <KeyStatus apiKey={key} /> },
      }}
      getKey={({ publishableKey }) => publishableKey}
      nameOf={({ name }) => name}
      rowActions={(key) => [
        key.revokeTime === undefined && { label: t('Revoke'), onSelect: () => revokeKey(key) },
      ]}
      empty={{
        icon: 'key',
        title: t('No publishable keys yet'),
        advice: t('Create one for the pages of your shop. Programs on your servers use an API key instead.'),
        adviceToRead: t('The keys of the shop’s pages appear here.'),
      }}
    />
  )
}

/**
 * Converts what a person enters as an origin to what browsers send: an address of a page is shortened to its
 * origin. Other texts stay, and the server explains what is wrong.
 *
 * @example toOrigin('https://Shop.example/cart') // 'https://shop.example'
 */
export function toOrigin(text: string): string {
  // Browsers encode the asterisk of a host name. The server's message repeats the origin, so it has to be the
  // one that was entered.
  if (!/^https?:\/\//i.test(text) || text.includes('*') || !URL.canParse(text)) return text
  return new URL(text).origin
}
