/** A request to an address that a tenant chose. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The longest the whole exchange may take, in ms, from look-up to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Bytes of the answer that are kept, after decompression; the connection is cut at this limit. Default 64 KB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Where an exchange went wrong. */
export type HttpErrorClass =
  /** The URL is not allowed: scheme, userinfo, or an address that is not public. Nothing was sent. */
  'blocked' | 'dns' | 'refused' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'too-large' | 'aborted';

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
      /** Whether any byte of the request may have reached the other side: if so the outcome is unknown. */
      readonly written: boolean;
      readonly durationMs: number;
    };

/** The guarded client. Never throws for the network's sake. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResult>;
  close(): Promise<void>;
}
