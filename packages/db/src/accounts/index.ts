export { chooseAccount, findAccountIds } from './account-choice.ts';
export {
  type AccountChange,
  type AccountRow,
  changeAccount,
  createAccount,
  createSandboxAccounts,
  deleteAccount,
  findAccount,
  listAccounts,
  markVerdict,
  newCallbackSecret,
  type SealedAccount,
  settingsPlace,
} from './accounts.ts';
export { type CallbackAccount, type CallbackAddress, findCallbackAccounts } from './callback-accounts.ts';
export { isUsable, takeDefaultOnLink, takeDefaultOnSuccess } from './default-account.ts';
export { whatsappWeb } from './linked-devices.ts';
export type { Verdict } from './verdict.ts';
