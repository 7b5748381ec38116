/** What the tests use of the package `smpp`, which has no types. */
declare module 'smpp' {
  export interface NpmPdu {
    readonly command: string;
    readonly sequence_number: number;
    readonly short_message: { readonly message: string | Buffer; readonly udh?: unknown };
    readonly [field: string]: unknown;
    response(fields?: object): NpmPdu;
  }
  export interface NpmSession {
    on(event: string, take: (pdu: NpmPdu) => void): this;
    send(pdu: NpmPdu): boolean;
    deliver_sm(fields: object, done: (pdu: NpmPdu) => void): boolean;
  }
  export interface NpmServer {
    listen(port: number, host: string, done: () => void): void;
    address(): { readonly port: number };
    close(): void;
  }
  const smpp: { createServer(options: object, take: (session: NpmSession) => void): NpmServer };
  export default smpp;
}
