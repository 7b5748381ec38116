import { africasTalking } from './africas-talking.ts';
import { infobip } from './infobip.ts';
import { plivo } from './plivo.ts';
import type { Protocol } from './protocol.ts';
import { sinch } from './sinch.ts';
import { smsgate } from './smsgate.ts';
import { telnyx } from './telnyx.ts';

/** The gateways with a profile, but Kannel, which runs itself, by the name of the profile. */
export const gatewayProtocols = {
  telnyx,
  smsgate,
  plivo,
  infobip,
  sinch,
  africastalking: africasTalking,
} as const satisfies Readonly<Record<string, Protocol>>;

export type GatewayName = keyof typeof gatewayProtocols;
