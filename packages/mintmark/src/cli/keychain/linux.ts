import { KEYCHAIN_SERVICE, type KeychainTool } from './keychain-tool.ts'

const COMMAND = 'secret-tool'

const toAttributes = (account: string) => ['service', KEYCHAIN_SERVICE, 'account', account]

/** The Secret Service of Linux, such as GNOME Keyring and KWallet. */
export const linuxKeychain: KeychainTool = {
  installation:
    'Install it, such as with `apt install libsecret-tools`; it also needs a keyring, such as GNOME Keyring or KWallet',
  store: (account, value) => ({
    command: COMMAND,
    parameters: ['store', `--label=Mintmark ${account}`, ...toAttributes(account)],
    input: value,
  }),
  find: (account) => ({ command: COMMAND, parameters: ['lookup', ...toAttributes(account)], input: '' }),
  remove: (account) => ({ command: COMMAND, parameters: ['clear', ...toAttributes(account)], input: '' }),
  // It ends with 1 for failures too, but only then with a message.
  isMissing: ({ exitCode, errors }) => exitCode === 1 && errors.trim() === '',
}
