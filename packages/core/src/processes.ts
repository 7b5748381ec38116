/** The processes that run for long, in the order of their health ports. */
export const processNames = ['dispatch-worker', 'webhook-worker', 'whatsapp-sessions', 'api'] as const;
export type ProcessName = (typeof processNames)[number];

/** Where each serves its health checks and metrics unless HEALTH_PORT is set. */
export const healthPorts: Readonly<Record<ProcessName, number>> = {
  'dispatch-worker': 3001,
  'webhook-worker': 3002,
  'whatsapp-sessions': 3003,
  api: 3004,
};
