/** The gateways with a profile, as `profile` of the settings names them. `profiles.ts` has one for each. */
export const profileNames = ['kannel'] as const;

export type ProfileName = (typeof profileNames)[number];

/** What people read in the place of each name. */
export const profileLabels: Readonly<Record<ProfileName, string>> = { kannel: 'Kannel' };
