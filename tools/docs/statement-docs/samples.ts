/** The ids of the samples. `page.ts` shows any other id as a new one. */
export const ids = {
  tenant: '0199c1de-0000-7000-8000-00000000000a',
  key: '0199c1de-0000-7000-8000-00000000000b',
  account: '0199c1de-0000-7000-8000-00000000000c',
  message: '0199c1de-0000-7000-8000-000000000001',
  other: '0199c1de-0000-7000-8000-000000000002',
  group: '0199c1de-0000-7000-8000-000000000003',
  verification: '0199c1de-0000-7000-8000-000000000004',
  holder: '0199c1de-0000-7000-8000-00000000000f',
} as const;

export const recipient = '+4915112345678';

/** As a client sends it (W3C Trace Context). */
export const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
