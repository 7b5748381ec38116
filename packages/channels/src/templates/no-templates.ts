import type { Outcome } from '@notify/core';

/** Refuses a template for good, where the provider has none. The api refuses it before the 202, if it can. */
export function refuseTemplate(provider: string): Outcome {
  return { kind: 'rejected', errorCode: 'template-not-supported', text: `${provider} has no templates.` };
}
