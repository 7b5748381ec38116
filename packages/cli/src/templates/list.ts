import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { paintStatus } from '../output/shown.ts';

export const listTemplates = defineCommand({
  name: 'templates list',
  summary: 'List the templates of a channel account.',
  arguments: { account: idArgument(kinds.account) },
  options: pageOptions,
  examples: [
    { does: 'What can be sent', line: 'templates list 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' },
    { does: 'An example of each', line: `templates list 0190a1b2-… --all --json | jq .example` },
  ],
  async run(context, { account, ...page }) {
    const { client, output, signal } = context;
    const notify = await client();
    await showPages(context, page, (at) => notify.templates.list(account, at, { signal }), {
      columns: [
        { title: 'NAME', cell: ({ name }) => name },
        { title: 'LANGUAGE', cell: ({ language }) => language },
        { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(output.style) },
        { title: 'CATEGORY', cell: ({ category }) => category },
        { title: 'WANTS', cell: ({ wants }) => wants.map(({ at }) => at).join(' '), shrinks: true },
        { title: 'TEXT', cell: ({ body }) => body.text, shrinks: true },
      ],
      empty: 'No templates.',
    });
  },
});
