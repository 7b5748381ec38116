export { findHeard, type Heard } from './heard.ts';
export { type ConsentRow, hasHeardOf, listConsents, readConsent } from './read.ts';
export { storeConsents } from './record.ts';
export { removeConsent } from './remove.ts';
