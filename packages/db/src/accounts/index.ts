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
  markVerified,
  newCallbackSecret,
  type SealedAccount,
  settingsPlace,
} from './accounts.ts';
export { whatsappWeb } from './linked-devices.ts';
