import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');

/** An expression that must return data, and where it stands. */
export interface Expression {
  readonly place: string;
  readonly expr: string;
}

/** What the check reads of a board. */
interface BoardJson {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly annotations: {
    readonly list: readonly { readonly name: string; readonly target: { readonly expr: string } }[];
  };
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

/** The files of rules, as https://prometheus.io/docs/prometheus/latest/configuration/recording_rules/ describes them. */
export interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly record?: string; readonly alert?: string; readonly expr: string }[];
  }[];
}

/** The rules of ops/prometheus/rules.yml. */
export function readRules(): Rules {
  return parse(readFileSync(path.join(root, 'ops/prometheus/rules.yml'), 'utf8')) as Rules;
}

/** Every expression of a board: panels, annotations, and the metrics of its variables. Variables stand for all values. */
export function expressionsOfBoard(name: string): Expression[] {
  const board = JSON.parse(readFileSync(path.join(root, 'ops/grafana', `${name}.json`), 'utf8')) as BoardJson;
  const panels = board.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: title, expr })),
  );
  const annotations = board.annotations.list.map(({ name: place, target }) => ({ place, expr: target.expr }));
  const variables = board.templating.list.flatMap(({ name: place, definition }) => {
    const [, expr] = /^label_values\((.*), \w+\)$/.exec(definition ?? '') ?? [];
    return expr === undefined ? [] : [{ place: `$${place}`, expr }];
  });
  return [...panels, ...annotations, ...variables].map(({ place, expr }) => ({
    place: `${board.title}: ${place}`,
    expr: withoutVariables(expr),
  }));
}

/** The window of `rate` in the check, short because the load is short. */
const window = '10s';

function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', window).replaceAll(/"\$\w+"/g, '".*"');
}

/**
 * What must return data for the rules to work. A recording rule must return data itself. An alert returns none while all
 * is well, so every series that it reads must exist.
 */
export function expressionsOfRules({ groups }: Rules): Expression[] {
  return groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ record, alert, expr }) =>
      record === undefined
        ? [...new Set(selectorsOf(expr))].map((selector) => ({ place: `alert ${alert}`, expr: selector }))
        : [{ place: `rule ${record}`, expr }],
    );
}

/** The selectors of series in an expression, without windows. */
export function selectorsOf(expr: string): string[] {
  return expr.match(/\b(?:notify|nodejs|process)[_:][a-z0-9_:]*(?:\{[^}]*\})?/g) ?? [];
}
