/** Whether a template may be sent. Only an approved one may. */
export type TemplateStatus = 'approved' | 'pending' | 'rejected' | 'paused' | 'disabled';

export type TemplateCategory = 'authentication' | 'marketing' | 'utility';

/** A place in a template that the sender fills. Positional variables are named `1`, `2` and so on. */
export interface TemplateVariable {
  readonly name: string;
  /** The sample value that the template was submitted with. */
  readonly example: string | null;
}

/** A text with `{{name}}` for each variable. */
export interface TemplateText {
  readonly text: string;
  readonly variables: readonly TemplateVariable[];
}

export type TemplateHeader =
  | ({ readonly kind: 'text' } & TemplateText)
  | { readonly kind: 'image' | 'video' | 'document'; readonly example: string | null }
  | { readonly kind: 'location' };

export type TemplateButton =
  | { readonly kind: 'quick-reply'; readonly text: string }
  /** `variable` fills the end of the address, in place of `{{1}}`; null for a fixed address. */
  | {
      readonly kind: 'url';
      readonly text: string;
      readonly url: string;
      readonly variable: TemplateVariable | null;
    }
  | { readonly kind: 'copy-code'; readonly text: string; readonly example: string | null }
  /** The button of an authentication template. */
  | { readonly kind: 'one-time-code'; readonly text: string }
  /** A button without a parameter, such as one that calls a number. */
  | { readonly kind: 'other'; readonly text: string };

/** A template as a provider keeps it. */
export interface Template {
  /** What a send names: Meta's name, or Twilio's ContentSid. */
  readonly name: string;
  readonly language: string;
  /** A readable name, if `name` is none. */
  readonly label: string | null;
  readonly category: TemplateCategory | null;
  readonly status: TemplateStatus;
  /** Why the provider rejected or paused it, in its own words. */
  readonly reason: string | null;
  /** Whether variables are named. */
  readonly named: boolean;
  readonly header: TemplateHeader | null;
  readonly body: TemplateText;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
}

export interface TemplateFile {
  readonly url: string;
  readonly filename?: string;
}

export type HeaderParameter =
  | { readonly text: string }
  | { readonly image: TemplateFile }
  | { readonly video: TemplateFile }
  | { readonly document: TemplateFile }
  | {
      readonly location: {
        readonly latitude: number;
        readonly longitude: number;
        readonly name?: string;
        readonly address?: string;
      };
    };

/** What fills a button. `payload` is for quick replies, `text` for the end of an address, `code` for both kinds of code. */
export type ButtonParameter =
  | { readonly index: number; readonly payload: string }
  | { readonly index: number; readonly text: string }
  | { readonly index: number; readonly code: string };

export interface TemplateParameters {
  readonly header?: HeaderParameter;
  /** An array fills positional variables, an object named ones. */
  readonly body?: readonly string[] | Readonly<Record<string, string>>;
  readonly buttons?: readonly ButtonParameter[];
}

/** A template to send, as the interface takes it. */
export interface TemplateContent {
  readonly name: string;
  readonly language: string;
  readonly parameters?: TemplateParameters;
}

/** The body of a message of type `template`. */
export interface TemplateBody {
  readonly template: TemplateContent;
  /** The text as the recipient reads it, where the template is known. */
  readonly text?: string;
  /** Indexes of buttons that carry a one-time code, where the template is known. */
  readonly oneTimeCodes?: readonly number[];
  /** The name of the header's variable, where the template is known and its variables are named. */
  readonly headerVariable?: string;
}

/** A parameter at fault. `at` is a JSON pointer below the parameters, such as `/body/1`. */
export interface TemplateFault {
  readonly at: string;
  readonly message: string;
}
