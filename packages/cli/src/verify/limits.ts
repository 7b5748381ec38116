import { defineCommand } from '../command.ts';
import { tableLines } from '../output/table.ts';

export const verifyLimits = defineCommand({
  name: 'verify limits',
  summary: 'Show how many codes may be sent to each country, and which are held.',
  details: 'The scope is accounts:read.',
  examples: [{ does: 'The limits as JSON', line: 'verify limits --json' }],
  async run({ client, output, signal }) {
    const limits = await (await client()).verificationLimits.get({ signal });
    output.document(limits, (style) => [
      `${limits.startsPerHour} per hour to each country prefix, except:`,
      '',
      ...tableLines(
        limits.prefixes,
        [
          { title: 'PREFIX', cell: ({ prefix }) => prefix },
          { title: 'PER HOUR', cell: ({ startsPerHour }) => startsPerHour },
          { title: 'GUARDED', cell: ({ guarded }) => (guarded ? 'yes' : 'no') },
          {
            title: 'HELD UNTIL',
            cell: ({ heldUntil }) => heldUntil,
            isTime: true,
            paint: style.red,
          },
        ],
        output,
      ),
    ]);
  },
});
