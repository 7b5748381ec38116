export { type ConsentRow, listConsents, readConsent } from './read.ts';
export { storeConsents } from './record.ts';
export { removeConsent } from './remove.ts';
