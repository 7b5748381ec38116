import { argument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';

export const checkCode = defineCommand({
  name: 'verify check',
  summary: 'Check a one-time code, and count the try.',
  details:
    'The exit code is 0 if the code is right and 1 if it is wrong. After five wrong tries, and once approved, the verification has ended.\n\nNeeds an API key with the scope send in NOTIFY_API_KEY.',
  arguments: {
    id: idArgument(kinds.verification),
    code: argument('The code as the person entered it.'),
  },
  examples: [{ does: 'Check a code', line: 'verify check ver_01912d68-… 271828' }],
  async run({ keyClient, output, signal }, { id, code }) {
    const notify = await keyClient();
    const checked = await notify.verifications.check(id, { code }, { signal });
    const { status, attemptsLeft } = checked;
    output.document(checked, (style) => [
      status === 'approved'
        ? style.green('Approved')
        : `${style.red('Wrong code')}, ${attemptsLeft === 0 ? 'and no try is left' : `${attemptsLeft} more tries`}`,
    ]);
    return status === 'approved' ? exitCodes.done : exitCodes.failed;
  },
});
