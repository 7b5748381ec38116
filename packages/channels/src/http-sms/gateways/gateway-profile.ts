/** The body of a request, as the settings of a gateway describe one. */
export interface ProfileBody {
  readonly type: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly template?: string;
}

/** A profile as forms show it: which settings it takes, and which requests it makes of them. */
export interface GatewayProfile {
  readonly label: string;
  /** Where its API is, unless the settings name another address. */
  readonly url: string | null;
  /** The settings that only profiles have, of those that it takes. */
  readonly settings: readonly string[];
  /** Settings that have no effect with it. */
  readonly without: readonly string[];
  /** The setting by which callbacks are checked. Without it they are not. */
  readonly signedBy: string;
  readonly request: {
    readonly method: string;
    /** What follows the address. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: ProfileBody;
    /** In place of `body` where the gateway can send receipts. */
    readonly reportBody: ProfileBody;
    /** Added to the address of receipts. */
    readonly reportQuery: string;
    readonly numberFormat: string;
    readonly lifetime: Readonly<Record<string, number>>;
    /** Which setting replaces a placeholder, by the placeholder's name. */
    readonly values: Readonly<Record<string, string>>;
    /** Which setting holds a secret, by the secret's name in placeholders. */
    readonly secrets: Readonly<Record<string, string>>;
  };
}
