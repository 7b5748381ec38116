/** The settings that only profiles have. */
export const settingsOfProfiles = [
  'username',
  'password',
  'apiKey',
  'accountId',
  'smsc',
  'publicKey',
  'signingKey',
] as const;

export type OfProfiles = (typeof settingsOfProfiles)[number];
