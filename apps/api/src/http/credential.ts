/** How API keys begin. */
export const keyPrefix = 'svc_live_' as const;
/** How service tokens begin. */
export const tokenPrefix = 'svc_tok_' as const;

/** The kind of credential that a route requires. `none`: it is open to everybody. */
export type Credential = 'none' | 'session' | 'bearer' | 'api-key';
