import { statuses } from '../statuses/codes.ts';
import { Bind, type BindOptions } from './bind.ts';

/** A bind, or why there is none. */
export type BindResult =
  | { readonly kind: 'bound'; readonly bind: Bind }
  /** The SMSC answered with this `command_status`. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The SMSC could not be reached, or did not answer. */
  | { readonly kind: 'failed'; readonly text: string };

/** Dials and binds once. */
export async function openBind(options: BindOptions): Promise<BindResult> {
  let bind: Bind;
  try {
    bind = new Bind(await options.connect(), options);
  } catch (error) {
    return { kind: 'failed', text: error instanceof Error ? error.message : String(error) };
  }
  const answer = await bind.bind();
  switch (answer.kind) {
    case 'lost':
      return { kind: 'failed', text: answer.text };
    case 'silent':
      return { kind: 'failed', text: `the SMSC did not answer the bind within ${options.answerWithinMs} ms` };
    case 'answered':
      return answer.pdu.status === statuses.ESME_ROK
        ? { kind: 'bound', bind }
        : { kind: 'refused', status: answer.pdu.status };
  }
}
