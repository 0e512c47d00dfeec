import type { Migration } from '@mintmark/server-kit'

/** The servers read keys and projects. Only the operator's commands write them, as the schema's owner. */
export const keyPrivileges: Migration = {
  id: '0021_key_privileges',
  up: `revoke insert, update, delete on gateway.projects, gateway.api_keys, gateway.api_key_secrets from mintmark_gateway`,
}
