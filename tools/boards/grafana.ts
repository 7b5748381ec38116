import { type Board, type Panel, type Section, type Threshold, units } from './description.ts';

/*
 * Turns a description into the JSON of a Grafana dashboard, in the form that Grafana 11 and 12 read from files
 * (https://grafana.com/docs/grafana/v12.4/dashboards/build-dashboards/view-dashboard-json-model/).
 */

/** Where a panel stands: Grafana's grid has 24 columns. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const columns = 24;
const heights = { number: 4, lines: 8, table: 6 } as const;
/** The tag by which boards find each other. */
const tag = 'notify';
const datasource = { type: 'prometheus', uid: '${datasource}' };

/**
 * The same values of a label have the same colours on every board. Other series keep the colour that Grafana gives their
 * name.
 */
const colours: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: { delivered: 'green', sent: 'blue', read: 'purple', failed: 'red' },
  result: { accepted: 'green', applied: 'green', stored: 'green', refused: 'orange', failed: 'red' },
  outcome: {
    accepted: 'green',
    throttled: 'yellow',
    retry: 'orange',
    rejected: 'red',
    unknown: 'dark-red',
    '2xx': 'green',
    '3xx': 'yellow',
    '4xx': 'orange',
    '5xx': 'red',
    timeout: 'dark-red',
  },
  lane: { fast: 'blue', slow: 'orange' },
  state: { connected: 'green', waiting: 'orange', blocked: 'red', failing: 'red', active: 'green' },
};

/** The JSON of a board. */
export function grafanaBoard(board: Board): object {
  return {
    uid: `notify-${board.name}`,
    title: board.title,
    description: board.about,
    tags: [tag],
    timezone: 'browser',
    editable: true,
    graphTooltip: 1,
    time: { from: 'now-3h', to: 'now' },
    refresh: '30s',
    timepicker: {},
    fiscalYearStartMonth: 0,
    preload: false,
    schemaVersion: 41,
    version: 1,
    links: [linkToBoards],
    annotations: { list: [firingAlerts] },
    templating: { list: variables(board) },
    panels: panelsOf(board.sections),
  };
}

const linkToBoards = {
  type: 'dashboards',
  title: 'Notify',
  tags: [tag],
  asDropdown: false,
  icon: 'external link',
  includeVars: false,
  keepTime: true,
  targetBlank: false,
  tooltip: '',
  url: '',
};

/** A red mark on every panel where an alert fires. */
const firingAlerts = {
  name: 'Firing alerts',
  datasource,
  enable: true,
  hide: false,
  iconColor: 'red',
  target: { expr: 'ALERTS{alertname=~"Notify.*", alertstate="firing"}', refId: 'Anno', interval: '30s' },
  titleFormat: '{{alertname}}',
  textFormat: '{{severity}}',
  tagKeys: 'severity',
};

function variables({ byProcess }: Board): object[] {
  const source = {
    name: 'datasource',
    label: 'Prometheus',
    type: 'datasource',
    query: 'prometheus',
    regex: '',
    hide: 0,
    refresh: 1,
    multi: false,
    includeAll: false,
    current: {},
    options: [],
  };
  if (!byProcess) return [source];
  return [
    source,
    labelValues('process', 'Process', 'label_values(notify_build_info, process)'),
    labelValues('instance', 'Instance', 'label_values(notify_build_info{process=~"$process"}, instance)'),
  ];
}

function labelValues(name: string, label: string, query: string): object {
  return {
    name,
    label,
    type: 'query',
    datasource,
    definition: query,
    query: { qryType: 1, query, refId: 'PrometheusVariableQueryEditor-VariableQuery' },
    regex: '',
    hide: 0,
    // Whenever the time range changes, because processes come and go.
    refresh: 2,
    sort: 1,
    multi: true,
    // "All" means all values that are offered, so a choice of processes narrows the instances.
    includeAll: true,
    current: { text: ['All'], value: ['$__all'] },
    options: [],
  };
}

function panelsOf(sections: readonly Section[]): object[] {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: own } of sections) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: columns, h: 1 },
    });
    y += 1;
    for (const line of linesOf(own)) {
      let x = 0;
      const h = Math.max(...line.map(({ kind }) => heights[kind]));
      for (const panel of line) {
        panels.push(grafanaPanel(panel, panels.length + 1, { x, y, w: panel.width, h }));
        x += panel.width;
      }
      y += h;
    }
  }
  return panels;
}

/** Fills line after line. */
function linesOf(panels: readonly Panel[]): Panel[][] {
  const lines: Panel[][] = [];
  let left = 0;
  for (const panel of panels) {
    if (panel.width > left) {
      lines.push([]);
      left = columns;
    }
    lines.at(-1)!.push(panel);
    left -= panel.width;
  }
  return lines;
}

function grafanaPanel(panel: Panel, id: number, gridPos: Place): object {
  return {
    id,
    type: types[panel.kind],
    title: panel.title,
    description: panel.about,
    datasource,
    gridPos,
    targets: panel.series.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr,
      legendFormat: legend,
      editorMode: 'code',
      ...asking[panel.kind],
    })),
    fieldConfig: { defaults: fieldDefaults(panel), overrides: colourOverrides(panel) },
    options: options[panel.kind],
    ...(panel.kind === 'table' ? { transformations: [labelsOnly] } : {}),
  };
}

/** A number is asked for now alone, because the last one of a range may be hours old. */
const asking = {
  number: { instant: true, range: false, format: 'time_series' },
  lines: { instant: false, range: true, format: 'time_series' },
  table: { instant: true, range: false, format: 'table' },
} as const;

const types = { number: 'stat', lines: 'timeseries', table: 'table' } as const;

function fieldDefaults({ kind, unit, threshold }: Panel): object {
  const shared = {
    unit: units[unit],
    mappings: [],
    thresholds: { mode: 'absolute', steps: steps(threshold) },
    noValue: 'no data',
  };
  switch (kind) {
    case 'number':
      return { ...shared, mappings: [unknownIsGrey], color: { mode: 'thresholds' } };
    case 'table':
      return {
        ...shared,
        color: { mode: 'thresholds' },
        custom: { align: 'auto', cellOptions: { type: 'auto' }, inspect: false },
      };
    case 'lines':
      return {
        ...shared,
        color: { mode: 'palette-classic-by-name' },
        min: 0,
        custom: {
          drawStyle: 'line',
          lineInterpolation: 'linear',
          lineWidth: 1,
          fillOpacity: 10,
          gradientMode: 'none',
          showPoints: 'never',
          spanNulls: false,
          stacking: { mode: 'none', group: 'A' },
          axisPlacement: 'auto',
          scaleDistribution: { type: 'linear' },
          thresholdsStyle: { mode: threshold === undefined ? 'off' : 'dashed' },
        },
      };
  }
}

/** Without it, a number that nobody knows would be as green as a good one. */
const unknownIsGrey = {
  type: 'special',
  options: { match: 'null+nan', result: { index: 0, text: 'no data', color: '#808080' } },
};

/** Without a threshold everything is green, and a line draws none. */
function steps(threshold: Threshold | undefined): object[] {
  if (threshold === undefined) return [{ color: 'green', value: null }];
  const { value, below } = threshold;
  return below === true
    ? [
        { color: 'red', value: null },
        { color: 'green', value },
      ]
    : [
        { color: 'green', value: null },
        { color: 'red', value },
      ];
}

function colourOverrides({ kind, series }: Panel): object[] {
  if (kind !== 'lines') return [];
  const shown = Object.entries(colours).filter(([label]) =>
    series.some(({ legend }) => legend.includes(`{{${label}}}`)),
  );
  const words = new Map(shown.flatMap(([, own]) => Object.entries(own)));
  return Array.from(words, ([name, colour]) => ({
    matcher: { id: 'byName', options: name },
    properties: [{ id: 'color', value: { mode: 'fixed', fixedColor: colour } }],
  }));
}

const options = {
  number: {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    orientation: 'auto',
    textMode: 'auto',
    colorMode: 'background',
    graphMode: 'none',
    justifyMode: 'auto',
    wideLayout: true,
    showPercentChange: false,
  },
  lines: {
    legend: { displayMode: 'table', placement: 'bottom', showLegend: true, calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { showHeader: true, cellHeight: 'sm', footer: { show: false, reducer: ['sum'], fields: '' } },
} as const;

/** Hides what every row of a table has. */
const labelsOnly = {
  id: 'organize',
  options: {
    excludeByName: { Time: true, Value: true, __name__: true, alertstate: true },
    indexByName: {},
    renameByName: {},
  },
};
