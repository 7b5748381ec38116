import { ownServiceVariable } from './own-service.ts';

/** `describe` for what holds under known settings only; a service somebody else started may have others. */
export const describeOwnService = process.env[ownServiceVariable] === undefined ? describe.skip : describe;
