/** The kind of credential that a route requires. `none`: it is open to everybody. */
export type Credential = 'none' | 'session' | 'bearer' | 'api-key';
