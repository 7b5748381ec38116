/** A body that is never whole in memory: a file, or the parts of a form around one. */
export interface StreamedBody {
  /** Its exact length in bytes, sent as Content-Length. */
  readonly length: number;
  /** Opened when a connection is at hand, at most once. An error of it aborts the request. */
  open(): AsyncIterable<Uint8Array>;
}

/** A file that was fetched to disk. Remove it when it is done with. */
export interface SpooledFile extends AsyncDisposable {
  readonly bytes: number;
  /** Sniffed from its first bytes. */
  readonly mimeType: string;
  open(): AsyncIterable<Uint8Array>;
}

/** A request to an address that a tenant chose. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /** The longest the whole exchange may take, in ms, from look-up to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Bytes of the answer that are kept, after decompression; the connection is cut at this limit. Default 64 KB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Where an exchange went wrong. */
export type HttpErrorClass =
  /** The URL is not allowed: scheme, userinfo, or an address that is not public. Nothing was sent. */
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'too-large'
  | 'aborted'
  /** The operator's proxy failed; the other side was never asked. */
  | 'proxy';

/** An answer, or what prevented one. Redirects are answers like any other. */
export type HttpResult =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** The answer was longer than `maxBytes`, or broke off after its headers. */
      readonly truncated: boolean;
      readonly durationMs: number;
    }
  | {
      readonly ok: false;
      readonly error: HttpErrorClass;
      readonly text: string;
      /**
       * Whether the request may have reached the other side: if so the outcome is unknown. False as long as a streamed
       * body was not handed out to its last byte, for nobody acts on a part of one.
       */
      readonly written: boolean;
      readonly durationMs: number;
    };

/** The guarded client. Never throws for the network's sake. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResult>;
  close(): Promise<void>;
}
