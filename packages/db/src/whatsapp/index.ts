export { markRefused, markTaken, notePushback } from './answers.ts';
export {
  allowedNewContacts,
  contactWait,
  findContact,
  delayAccount,
  postpone,
  saveContact,
  saveKnownAs,
  saveLackOfLid,
  takePlace,
} from './contacts.ts';
export { hasConversation } from './conversations.ts';
export {
  changeLink,
  type DeviceRow,
  devicesToLookAt,
  findDevice,
  forgetDevice,
  goneDevices,
  type LinkChange,
  listDevices,
  saveCreds,
  saveDataKey,
  takeOverDevices,
} from './devices.ts';
export { type KeyChange, listKeys, readKeys, writeKeys } from './keys.ts';
export { type LinkWatcher, watchLinks } from './link-watch.ts';
export { findLink, linkPlace, type LinkRow, requestLink, requestUnlink } from './links.ts';
export { holdLogins, type LoginHold, loginStanding } from './logins.ts';
export { restrictDevice, type Restriction } from './restrictions.ts';
export { countAskedAgain, dropOldSent, messagesSentAs, saveSent } from './sent.ts';
export {
  answerTellRequest,
  dropForgottenTells,
  endTellRequest,
  type NewTellRequest,
  openTellRequests,
  readTellResult,
  requestTell,
  takeTellRequests,
  type TellRequestRow,
  type TellResult,
} from './tell-requests.ts';
