/** Set by the suite's set-up when it started the service: only then are the service's settings known. */
export const ownServiceVariable = 'CONTRACT_OWN_SERVICE';

/** `describe` for what holds under known settings only; a service somebody else started may have others. */
export const describeOwnService = process.env[ownServiceVariable] === undefined ? describe.skip : describe;
