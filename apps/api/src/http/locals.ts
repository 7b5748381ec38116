/** What is kept with a request while it is answered. */
declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to type express's `response.locals`
  namespace Express {
    interface Locals {
      requestId: string;
      /** Known once the credential is; for the log. */
      tenantId?: string;
      /** On the direct way, the headers of the answer: names and values in turn, as `writeHead` takes them. */
      headers?: string[];
    }
  }
}
export {};
