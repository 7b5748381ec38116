/** A body that is never whole in memory: a file, or a form that contains one. */
export interface StreamedBody {
  /** Its exact length in bytes, sent as Content-Length. */
  readonly length: number;
  /** Opened at most once, when a connection is free. An error of the source aborts the request. */
  open(): AsyncIterable<Uint8Array>;
}

/** A file that was fetched to disk. Dispose of it after use. */
export interface SpooledFile extends AsyncDisposable {
  readonly bytes: number;
  /** Sniffed from its first bytes. */
  readonly mimeType: string;
  open(): AsyncIterable<Uint8Array>;
}

/** A request to an address that a tenant chose. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamedBody;
  /** The limit of the whole exchange, in ms, from look-up to the last byte of the answer. */
  readonly deadlineMs: number;
  /**
   * How many bytes of the answer are kept, after decompression. The connection is closed at this limit. Default 64 KB.
   */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** The kind of an exchange's failure. */
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
  /** The operator's proxy failed, and the other side saw nothing. */
  | 'proxy';

/** An answer, or the failure that prevented it. A redirect is an answer. */
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
       * Whether the request may have reached the other side, which makes the outcome unknown. False until a streamed
       * body was handed out to its last byte, because no server acts on a part of one.
       */
      readonly written: boolean;
      readonly durationMs: number;
    };

/** A request whose answer is read as it arrives. */
export interface StreamRequest extends HttpRequest {
  /** The limit of the answer, in bytes, after decompression. An answer that is longer fails. */
  readonly maxBytes: number;
  /** The limit of silence, in ms: until the headers, and while the reader waits for bytes. */
  readonly idleMs: number;
}

/** An answer that is still arriving, or the failure that prevented it. A redirect is an answer. */
export type HttpStream =
  | {
      readonly ok: true;
      readonly status: number;
      /** Without `content-length` and `content-encoding` if the body was compressed. */
      readonly headers: Readonly<Record<string, string>>;
      /**
       * Read once, at the pace of the reader. Throws if it breaks off, is too long, or takes too long. `return()` closes
       * the connection, also before the first read. A body that is neither read nor returned is closed at the deadline.
       */
      readonly body: AsyncIterable<Uint8Array>;
    }
  | Extract<HttpResult, { readonly ok: false }>;

/** The guarded client. Failures of the network are results, never exceptions. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResult>;
  /** Resolves when the headers have arrived. Redirects are not followed. */
  stream(request: StreamRequest): Promise<HttpStream>;
  close(): Promise<void>;
}
