import { events } from '../event.ts';

/** Linked WhatsApp devices. */
export const linkedDeviceEvents = events({
  'device-linked': {
    level: 'info',
    msg: 'device linked',
    means: 'A phone was linked.',
    fields: ['accountId'],
  },
  'device-not-linked': {
    level: 'info',
    msg: 'no phone was linked',
    means: 'The QR codes or the pairing code ran out, or WhatsApp refused.',
    fields: ['accountId', 'code', 'wasReached'],
  },
  'device-unlinked': {
    level: 'info',
    msg: 'device unlinked',
    means: 'The device was removed.',
    fields: ['accountId', 'loggedOut'],
  },
  'device-connected': {
    level: 'info',
    msg: 'device connected',
    means: 'The device can send and receive.',
    fields: ['accountId'],
  },
  'device-disconnected': {
    level: 'info',
    msg: 'device disconnected',
    means: 'The connection ended. Unless the phone was logged out, another one follows.',
    fields: ['accountId', 'code', 'failures'],
  },
  'device-restricted': {
    level: 'info',
    msg: 'new contacts restricted',
    means: 'WhatsApp restricts messages to new contacts, or the restriction has ended.',
    fields: ['accountId', 'restriction'],
  },
  'device-failed': {
    level: 'warn',
    msg: 'device failed; it will be opened again',
    means: 'An unexpected error.',
    fields: ['err', 'accountId'],
  },
  'device-not-checked': {
    level: 'warn',
    msg: 'device could not be checked',
    means: 'The next check follows.',
    fields: ['err', 'accountId'],
  },
  'device-state-not-written': {
    level: 'warn',
    msg: 'device state not written',
    means: 'The connection ends, so that WhatsApp repeats what was not stored.',
    fields: ['err', 'accountId'],
  },
  'answer-waits': {
    level: 'warn',
    msg: 'an answer of WhatsApp waits for the database',
    means: 'It is recorded when the database is back.',
    fields: ['err', 'accountId'],
  },
  'answer-not-recorded': {
    level: 'warn',
    msg: 'an answer of WhatsApp was not recorded',
    means: 'The attempt still ends with its outcome.',
    fields: ['err', 'accountId'],
  },
  'history-read': {
    level: 'info',
    msg: 'history read',
    means: 'What a new device needs of its history was read.',
    fields: ['accountId', 'tokens', 'lids'],
  },
  'history-failed': {
    level: 'warn',
    msg: 'history not read',
    means: 'It is tried a few times.',
    fields: ['err', 'accountId', 'tries'],
  },
  'history-left': {
    level: 'warn',
    msg: 'history will be read at the next connection',
    means: 'Reading the history stopped.',
    fields: ['err', 'accountId'],
  },
  'file-not-read': {
    level: 'warn',
    msg: 'a file was not read',
    means: 'An unexpected error. The caller is told that the file is not available.',
    fields: ['err', 'accountId'],
  },
  'not-told': {
    level: 'warn',
    msg: 'a person was not told',
    means:
      'An unexpected error, while a read receipt or a typing notice was to be sent. It is not tried again.',
    fields: ['err', 'accountId'],
  },
  'file-failed': {
    level: 'info',
    msg: 'a file could not be read',
    means: 'WhatsApp did not give the file, or it was damaged.',
    fields: ['accountId', 'kind', 'detail'],
  },
});
