/** The gateways with a profile, as `profile` of the settings names them. `profiles.ts` has one for each. */
export const profileNames = [
  'kannel',
  'telnyx',
  'smsgate',
  'plivo',
  'infobip',
  'sinch',
  'africastalking',
] as const;

export type ProfileName = (typeof profileNames)[number];

/** What people read in the place of each name. */
export const profileLabels: Readonly<Record<ProfileName, string>> = {
  kannel: 'Kannel',
  telnyx: 'Telnyx',
  smsgate: 'SMSGate (Android)',
  plivo: 'Plivo',
  infobip: 'Infobip',
  sinch: 'Sinch',
  africastalking: 'Africa’s Talking',
};
