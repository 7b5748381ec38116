import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Our answers are data, or pages that load one style sheet of ours and nothing else. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** A year, for this host alone, because the operator may run other hosts below its name. */
const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: false };

/**
 * The headers of every answer, names and values in turn: Helmet's, for browsers, and `no-store`, because answers hold
 * credentials and other people's data. A cacheable answer sets its own `Cache-Control`. Without https, browsers must
 * not be told to insist on it (RFC 6797, 7.2). Helmet's headers never change, so it is called once.
 */
export function protectiveHeaders(https: boolean): readonly string[] {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  const options = { contentSecurityPolicy, strictTransportSecurity: https && strictTransportSecurity };
  helmet(options)(sample.req, sample, () => undefined);
  sample.setHeader('Cache-Control', 'no-store');
  return sample.getHeaderNames().flatMap((name) => [name, String(sample.getHeader(name))]);
}
