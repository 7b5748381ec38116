import type { Template } from '@notify/core';

const approved = { label: null, status: 'approved', reason: null } as const;

/** The sandbox's templates: one with named variables, and one for a one-time code. */
export const templates: readonly Template[] = [
  {
    ...approved,
    name: 'appointment_reminder',
    language: 'en',
    category: 'utility',
    named: true,
    header: {
      kind: 'text',
      text: 'See you on {{day}}',
      variables: [{ name: 'day', example: 'Monday' }],
    },
    body: {
      text: 'Hi {{first_name}}, we expect you at {{time}}.',
      variables: [
        { name: 'first_name', example: 'Ada' },
        { name: 'time', example: '10:30' },
      ],
    },
    footer: 'Sent by the sandbox',
    buttons: [{ kind: 'quick-reply', text: 'Confirm' }],
  },
  {
    ...approved,
    name: 'login_code',
    language: 'en',
    category: 'authentication',
    named: false,
    header: null,
    body: {
      text: '*{{1}}* is your verification code.',
      variables: [{ name: '1', example: '123456' }],
    },
    footer: 'This code expires in 10 minutes.',
    buttons: [{ kind: 'one-time-code', text: 'Copy code' }],
  },
];
