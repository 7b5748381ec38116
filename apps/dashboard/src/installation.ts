/** What the api tells the dashboard of the settings of the installation. */
export interface Installation {
  /** Whether anyone can register. */
  readonly registration: 'open' | 'closed';
  /** Whether sending stops when a trial ends. */
  readonly trialEnforcement: 'off' | 'block';
  /** The length of a trial. */
  readonly trialDays: number;
  /** The largest file that can be uploaded. */
  readonly maxFileBytes: number;
}

/** The defaults, for a page that does not come from the api, such as Vite's. */
const usual: Installation = {
  registration: 'open',
  trialEnforcement: 'off',
  trialDays: 14,
  maxFileBytes: 16_777_216,
};

/** Reads what the api has put into the page. */
export function readInstallation(content: string): Installation {
  return content.startsWith('{') ? { ...usual, ...(JSON.parse(content) as Partial<Installation>) } : usual;
}

/** The installation that this page belongs to. */
export function thisInstallation(): Installation {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=installation]');
  return readInstallation(meta?.content ?? '');
}
