export { chooseAccount, findAccountIds } from './account-choice.ts';
export {
  type AccountChange,
  type AccountRow,
  type CallbackAccount,
  type CallbackAddress,
  changeAccount,
  createAccount,
  createSandboxAccounts,
  deleteAccount,
  findAccount,
  findCallbackAccounts,
  listAccounts,
  markVerdict,
  newCallbackSecret,
  type SealedAccount,
  settingsPlace,
} from './accounts.ts';
export { isUsable, takeDefaultOnLink, takeDefaultOnSuccess } from './default-account.ts';
export { whatsappWeb } from './linked-devices.ts';
export type { Verdict } from './verdict.ts';
