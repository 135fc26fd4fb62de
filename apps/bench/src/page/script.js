/* The page of a report: reads the numbers beside it, and draws them with Chart.js. */
const report = JSON.parse(document.getElementById('report').textContent);
const { Chart } = globalThis;

/* The conversion of plain files of several sizes, in the first runtime. */
const isSeries = ({ runtime, command, format, damage }) =>
  runtime === report.commands[0].runtime &&
  command === 'convert' &&
  format === 'plain' &&
  damage === 'one in ten';
const series = report.commands.filter((one) => one.time && isSeries(one));

const main = document.body.appendChild(document.createElement('main'));
const dark = matchMedia('(prefers-color-scheme: dark)');
const charts = [];

/* Ours are warm and thick, the platform is grey and dashed, others are cool and thin. */
const COLOURS = {
  strict: ['#2563eb', '#7aa2ff'],
  cesu8: ['#d9480f', '#ff922b'],
  mutf8: ['#0b8a5f', '#40d39c'],
  wtf8: ['#b7791f', '#f6c453'],
  rfc2279: ['#9333ea', '#c792ff'],
  'cesu8 → utf8': ['#d9480f', '#ff922b'],
  'mutf8 → utf8': ['#0b8a5f', '#40d39c'],
  'mixed → utf8': ['#b7791f', '#f6c453'],
  'utf8 → cesu8': ['#2563eb', '#7aa2ff'],
  'utf8 convert': ['#d9480f', '#ff922b'],
  DuckDB: ['#0e7490', '#5fd0e6'],
  jq: ['#4d7c0f', '#a9d65c'],
};
const OTHERS = [
  ['#0e7490', '#5fd0e6'],
  ['#be185d', '#f58fc0'],
  ['#4d7c0f', '#a9d65c'],
  ['#6d4c9f', '#b9a2e3'],
  ['#a16207', '#dcb85a'],
  ['#475569', '#a9b6c9'],
  ['#b91c1c', '#ff8f8f'],
];
const PLATFORM = [
  ['#30363f', '#eef1f5'],
  ['#6b7280', '#aab2bf'],
  ['#9aa1ad', '#7b8594'],
  ['#b5bac2', '#5d6675'],
];

/* ---- the numbers ---- */

/* Builds and backends that raced against each other have sections of their own. */
const plain = report.cells.filter((cell) => !cell.wrong && !cell.edition);
const key = (...parts) => parts.join('|');
const cells = new Map(
  plain.map((cell) => [
    key(cell.runtime, cell.operation, cell.corpus, cell.size, cell.contestant),
    cell,
  ]),
);

/* All sections but the one for all of them show one runtime, which is picked at the top. */
let runtime = report.runtimes[0]?.name;
const updates = [];
const aboutOf = (name) => report.runtimes.find((one) => one.name === name)?.about ?? name;

const findIn = (place, operation, corpus, size, name) =>
  cells.get(key(place, operation, corpus, size, name));
const find = (operation, corpus, size, name) => findIn(runtime, operation, corpus, size, name);
const unique = (list) => [...new Set(list)];
const operations = unique(plain.map((cell) => cell.operation));
const of = (operation) => plain.filter((cell) => cell.operation === operation);
const corporaOf = (operation) => unique(of(operation).map((cell) => cell.corpus));
const sizesOf = (operation) => unique(of(operation).map((cell) => cell.size)).sort((a, b) => a - b);
const entriesOf = (operation) =>
  report.contestants.filter((one) => one.operation === operation && one.runtime === runtime);
const nativeRatio = (place, operation, corpus, size, name) => {
  const one = findIn(place, operation, corpus, size, name);
  for (const rival of report.rivals[operation] ?? []) {
    const other = findIn(place, operation, corpus, size, rival);
    if (one && other)
      return { ratio: other.median / one.median, isNoisy: one.isNoisy || other.isNoisy };
  }
  return undefined;
};
const isMain = ({ group, name }) => group === 'ours' && !/\/|, clean/.test(name);
const areRivals = (one, other) => other.group === 'platform' || one.variant === other.variant;
const speed = (cell) => (cell.bytes / cell.median) * 1000;
const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

const showSize = (bytes) => {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10 + 0.01));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
};
const showNumber = (value) =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value >= 10
      ? value.toFixed(1)
      : value >= 0.1
        ? value.toFixed(2)
        : value.toPrecision(2);
const showTime = (nanoseconds) => {
  const [value, unit] =
    nanoseconds < 1e3
      ? [nanoseconds, 'ns']
      : nanoseconds < 1e6
        ? [nanoseconds / 1e3, 'µs']
        : nanoseconds < 1e9
          ? [nanoseconds / 1e6, 'ms']
          : [nanoseconds / 1e9, 's'];
  return `${showNumber(value)} ${unit}`;
};
const showSpeed = (value) =>
  value >= 1000 ? `${showNumber(value / 1000)} GB/s` : `${showNumber(value)} MB/s`;

/* ---- the parts of the page ---- */

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function section(title, text) {
  const made = element('section', {}, element('h2', { textContent: title }));
  if (text) made.append(element('p', { textContent: text }));
  main.append(made);
  return made;
}

function picker(parent, label, onPick) {
  const row = element('div', { className: 'picker' });
  parent.append(row);
  let value;
  return {
    get value() {
      return value;
    },
    set(options, show, preferred) {
      if (!options.includes(value)) {
        value = options.includes(preferred) ? preferred : options.at(-1);
      }
      row.replaceChildren(
        element('span', { textContent: label }),
        ...options.map((option) => {
          const button = element('button', { type: 'button', textContent: show(option) });
          button.setAttribute('aria-pressed', String(option === value));
          button.addEventListener('click', () => {
            value = option;
            onPick();
          });
          return button;
        }),
      );
      row.hidden = options.length < 2;
    },
  };
}

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function colourOf({ name, group }, index) {
  const shade = dark.matches ? 1 : 0;
  const colour = COLOURS[name] ?? (name.startsWith('utf8 ') ? COLOURS.strict : undefined);
  if (colour) return colour[shade];
  const list = group === 'platform' ? PLATFORM : OTHERS;
  return list[index % list.length][shade];
}

function draw(parent, make, height) {
  const box = element('div', { className: 'chart' }, element('canvas'));
  if (height) box.style.height = `${height}px`;
  parent.append(box);
  let chart;
  const redraw = () => {
    chart?.destroy();
    Chart.defaults.color = style('--soft');
    Chart.defaults.borderColor = style('--line');
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12.5;
    const config = make(box);
    config.options.animation = false;
    config.options.maintainAspectRatio = false;
    config.options.plugins = {
      ...config.options.plugins,
      legend: {
        position: 'bottom',
        labels: { usePointStyle: true, boxHeight: 7, padding: 14, ...config.legend },
        ...config.options.plugins?.legend,
      },
    };
    chart = new Chart(box.firstChild, config);
  };
  charts.push(redraw);
  return redraw;
}

/* Ticks at 1, 2 and 5 of each power of ten, or of each power of four for sizes. */
const isRound = (value) =>
  /^[125]0*$/.test(
    String(Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(3))),
  );

const logAxis = (title, show, more = {}) => ({
  type: 'logarithmic',
  title: { display: true, text: title },
  ticks: {
    callback: (value) => (isRound(value) ? show(value).replace(/\.0+(?= |$)/, '') : null),
    autoSkip: true,
    maxRotation: 0,
  },
  grid: { color: style('--line') },
  ...more,
});

const sizeAxis = (sizes, title) => ({
  type: 'logarithmic',
  title: { display: true, text: title },
  min: sizes[0],
  max: sizes.at(-1),
  afterBuildTicks: (axis) => {
    axis.ticks = sizes.map((value) => ({ value }));
  },
  ticks: { callback: showSize, autoSkip: false, maxRotation: 0 },
  grid: { color: style('--line') },
});

const lineStyle = (entry, index) => {
  const colour = colourOf(entry, index);
  const lite = entry.name.includes('/lite');
  return {
    borderColor: colour,
    backgroundColor: colour,
    pointStyle:
      entry.group === 'ours' ? 'circle' : entry.group === 'platform' ? 'rect' : 'triangle',
    borderWidth: isMain(entry) ? 3 : 1.5,
    borderDash: entry.group === 'platform' ? [6, 4] : lite ? [2, 3] : [],
    pointRadius: isMain(entry) ? 3.5 : 2.5,
    order: entry.group === 'ours' ? 0 : 1,
  };
};

/* ---- head ---- */

function tile(value, text) {
  return element(
    'div',
    { className: 'tile' },
    element('b', { textContent: value }),
    element('span', { textContent: text }),
  );
}

function range(operation, ours, against, size) {
  const ratios = corporaOf(operation).flatMap((corpus) => {
    const one = find(operation, corpus, size, ours);
    const other = find(operation, corpus, size, against);
    return one && other ? [other.median / one.median] : [];
  });
  return ratios.length > 0 ? median(ratios) : undefined;
}

function head() {
  main.append(
    element('h1', { textContent: 'How fast are the codecs?' }),
    element('p', {
      textContent: `${report.where}. ${report.mode} run, ${Math.round(report.seconds)} s.`,
    }),
    element('p', {
      textContent:
        'Everything here was measured in one run, in turns, and each result was compared with a reference before it was timed. Compare ratios; a speed alone says more about the machine.',
    }),
  );
  for (const line of report.noise) {
    main.append(element('p', { textContent: line, className: report.isTooNoisy ? 'bad' : '' }));
  }
  const size = sizesOf('decode').includes(65536) ? 65536 : sizesOf('decode').at(-1);
  const tiles = element('div', { className: 'tiles' });
  for (const [operation, ours, against] of [
    ['decode', 'cesu8', 'TextDecoder fatal'],
    ['decode', 'cesu8', 'iconv-lite'],
    ['decode', 'mutf8', 'mutf-8'],
    ['encode', 'cesu8', 'TextEncoder'],
    ['transcode', 'cesu8 → utf8', 'native decode + encode'],
  ]) {
    const ratio = range(operation, ours, against, size);
    if (ratio) {
      tiles.append(
        tile(
          `${showNumber(ratio)}×`,
          `${operation} ${ours} / ${against}, ${showSize(size)}, median of corpora`,
        ),
      );
    }
  }
  const file = series.findLast(({ contestant }) => contestant === 'utf8 convert');
  const uconv = series.find(
    ({ contestant, size: bytes }) => contestant === 'uconv' && bytes === file?.size,
  );
  if (file && uconv) {
    tiles.append(
      tile(
        `${showNumber(uconv.time.median / file.time.median)}×`,
        `utf8 convert / uconv, a file of ${showSize(file.size)}`,
      ),
    );
  }
  if (report.targets.length > 0) {
    const met = report.targets.filter(({ isMet }) => isMet).length;
    tiles.append(tile(`${met}/${report.targets.length}`, 'targets met'));
  }
  main.append(tiles);
  if (report.runtimes.length > 1 && plain.length > 0) pickRuntime();
  if (report.wrong.some(({ isOurs }) => isOurs)) wrong();
}

function pickRuntime() {
  const pickers = element('div', { className: 'pickers' });
  main.append(pickers);
  const chosen = picker(pickers, 'the sections below show', () => {
    runtime = chosen.value;
    show();
    for (const update of updates) update();
  });
  const names = report.runtimes.map(({ name }) => name);
  const show = () => chosen.set(names, aboutOf, runtime);
  show();
}

/* ---- runtimes side by side ---- */

const PALETTE = [
  ['#d9480f', '#ff922b'],
  ['#2563eb', '#7aa2ff'],
  ['#0b8a5f', '#40d39c'],
  ['#b7791f', '#f6c453'],
  ['#9333ea', '#c792ff'],
  ['#0e7490', '#5fd0e6'],
  ['#be185d', '#f58fc0'],
  ['#475569', '#a9b6c9'],
];

function runtimes() {
  const names = report.runtimes.map(({ name }) => name);
  const usable = operations.filter((name) => entriesOf(name).some(isMain));
  if (names.length < 2 || usable.length === 0) return;
  const made = section(
    'Runtimes side by side',
    'How many times as fast ours are as what each runtime has itself for the same work, on the same text. ~ stands for noisy.',
  );
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const place = element('div');
  const update = () => {
    operation.set(usable, String, 'decode');
    size.set(sizesOf(operation.value), showSize, 65536);
    codec.set(
      entriesOf(operation.value)
        .filter(isMain)
        .map(({ name }) => name),
      String,
      'cesu8',
    );
    redraw();
    place.replaceChildren(
      table(
        ['', ...names.map(aboutOf)],
        corporaOf(operation.value).map((corpus) => ({
          cells: [
            corpus,
            ...names.map((name) => {
              const found = ratioOf(name, corpus);
              if (!found) return '–';
              return {
                text: `${showNumber(found.ratio)}×${found.isNoisy ? '~' : ''}`,
                className: found.ratio >= 1 ? 'good' : 'bad',
              };
            }),
          ],
        })),
      ),
    );
  };
  const operation = picker(pickers, 'operation', () => update());
  const size = picker(pickers, 'size', () => update());
  const codec = picker(pickers, 'codec', () => update());
  const ratioOf = (name, corpus) =>
    nativeRatio(name, operation.value, corpus, size.value, codec.value);
  const redraw = draw(made, (box) => {
    const corpora = corporaOf(operation.value);
    box.style.height = `${90 + corpora.length * (14 + 9 * names.length)}px`;
    const all = names.flatMap((name) =>
      corpora.flatMap((corpus) => ratioOf(name, corpus)?.ratio ?? []),
    );
    return {
      type: 'bar',
      data: {
        labels: corpora,
        datasets: names.map((name, i) => ({
          label: aboutOf(name),
          data: corpora.map((corpus) => ratioOf(name, corpus)?.ratio ?? null),
          backgroundColor: PALETTE[i % PALETTE.length][dark.matches ? 1 : 0],
          borderRadius: 2,
          base: 1,
          categoryPercentage: 0.82,
          barPercentage: 0.92,
        })),
      },
      options: {
        indexAxis: 'y',
        interaction: { mode: 'index', axis: 'y', intersect: false },
        scales: {
          x: logAxis('times as fast as the platform', (value) => `${value}×`, {
            min: Math.min(0.5, ...all) * 0.9,
            max: Math.max(2, ...all) * 1.1,
          }),
          y: { grid: { display: false }, ticks: { color: style('--ink') } },
        },
        plugins: {
          tooltip: {
            callbacks: {
              label: ({ dataset, raw }) =>
                `${dataset.label}: ${raw === null ? '–' : `${showNumber(raw)}×`}`,
            },
          },
        },
      },
    };
  });
  made.append(place);
  update();
}

/* ---- two builds, and several backends ---- */

/* One table for a runtime and an operation, of cells with an edition: a row for each codec and corpus. */
function editions(title, text, list, show) {
  if (list.length === 0) return;
  const made = section(title, text);
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const place = made.appendChild(element('div'));
  const update = () => {
    where.set(unique(list.map((one) => one.runtime)), aboutOf);
    operation.set(unique(list.map((one) => one.operation)), String, 'decode');
    const shown = list.filter(
      (one) => one.runtime === where.value && one.operation === operation.value,
    );
    const sizes = unique(shown.map(({ size }) => size)).sort((a, b) => a - b);
    const nameOf = ({ contestant, codec = contestant, corpus }) => `${codec}, ${corpus}`;
    place.replaceChildren(
      table(
        ['', ...sizes.map(showSize)],
        unique(shown.map(nameOf)).map((name) => ({
          cells: [
            name,
            ...sizes.map((size) => {
              const one = shown.find((each) => each.size === size && nameOf(each) === name);
              return one ? show(one) : '–';
            }),
          ],
        })),
      ),
    );
  };
  const where = picker(pickers, 'runtime', update);
  const operation = picker(pickers, 'operation', update);
  update();
}

function builds() {
  const { against } = report;
  if (!against) return;
  editions(
    `Against ${against.commit}`,
    `“${against.title}”. How many times as fast ours are as at that commit, round by round: the median of three processes, and their range. ~ stands for noisy.`,
    report.cells.filter(({ edition, ratio }) => edition === 'now' && ratio),
    ({ ratio: { median: mid, lower, upper }, isNoisy }) => ({
      text: `${mid.toFixed(2)}× (${lower.toFixed(2)}–${upper.toFixed(2)})${isNoisy ? '~' : ''}`,
      className: lower > 1 ? 'good' : upper < 1 ? 'bad' : '',
    }),
  );
}

function backends() {
  editions(
    'Backends to work',
    'The fastest backend of the kernels, and the speeds of the others as shares of it. ~ stands for noisy.',
    report.backends ?? [],
    ({ backend, speeds, isNoisy }) => {
      const others = Object.entries(speeds).filter(([name]) => name !== backend);
      const shown = others.map(([name, speed]) => `${name} ${speed.toFixed(2)}`);
      return `${backend}${isNoisy ? '~' : ''}: ${shown.join(', ')}`;
    },
  );
}

function wrong() {
  const made = section('Wrong, and so not timed');
  if (report.wrong.some(({ isOurs }) => isOurs)) made.classList.add('wrong');
  made.append(
    table(
      ['what', 'where it is wrong first'],
      report.wrong.map(({ what, why }) => ({ cells: [what, { text: why, className: 'text' }] })),
    ),
  );
}

/* ---- ratio bars by corpus ---- */

function ratios() {
  const usable = operations.filter((name) => entriesOf(name).some(isMain));
  if (usable.length === 0) return;
  const made = section(
    'Against one rival, by corpus',
    'How many times as fast ours are on the same text, on a logarithmic axis. Bars to the right of 1× are wins; a tick marks what is wanted where a target is set.',
  );
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const update = () => {
    operation.set(usable, String, 'decode');
    size.set(sizesOf(operation.value), showSize, 65536);
    const ours = entriesOf(operation.value).filter(isMain);
    const rivals = entriesOf(operation.value).filter(
      (other) => other.group !== 'ours' && ours.some((one) => areRivals(one, other)),
    );
    rival.set(
      rivals.map(({ name }) => name),
      String,
      rivals[0]?.name,
    );
    redraw();
  };
  const operation = picker(pickers, 'operation', () => update());
  const size = picker(pickers, 'size', () => update());
  const rival = picker(pickers, 'against', () => update());
  const marks = {
    id: 'marks',
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      ctx.save();
      ctx.strokeStyle = style('--ink');
      ctx.lineWidth = 2;
      for (const [i, dataset] of chart.data.datasets.entries()) {
        if (!chart.isDatasetVisible(i)) continue;
        for (const [j, bar] of chart.getDatasetMeta(i).data.entries()) {
          const wanted = dataset.wanted[j];
          if (!wanted) continue;
          const x = scales.x.getPixelForValue(wanted);
          const half = bar.height / 2;
          ctx.beginPath();
          ctx.moveTo(x, bar.y - half);
          ctx.lineTo(x, bar.y + half);
          ctx.stroke();
        }
      }
      const one = scales.x.getPixelForValue(1);
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.moveTo(one, scales.y.top);
      ctx.lineTo(one, scales.y.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
  const redraw = draw(made, (box) => {
    const other = entriesOf(operation.value).find(({ name }) => name === rival.value);
    const ours = entriesOf(operation.value).filter((one) => isMain(one) && areRivals(one, other));
    const corpora = corporaOf(operation.value).filter((corpus) =>
      find(operation.value, corpus, size.value, rival.value),
    );
    const ratioOf = (name, corpus) => {
      const one = find(operation.value, corpus, size.value, name);
      const two = find(operation.value, corpus, size.value, rival.value);
      return one && two ? two.median / one.median : null;
    };
    const wantedOf = (name, corpus) =>
      report.targets.find(
        ({ runtime: place, what, where }) =>
          place === runtime &&
          where === corpus &&
          what === `${operation.value} ${name} / ${rival.value}, ${showSize(size.value)}`,
      )?.wanted;
    box.style.height = `${90 + corpora.length * (14 + 13 * ours.length)}px`;
    const all = ours
      .flatMap(({ name }) =>
        corpora.flatMap((corpus) => [ratioOf(name, corpus), wantedOf(name, corpus)]),
      )
      .filter(Boolean);
    return {
      type: 'bar',
      data: {
        labels: corpora,
        datasets: ours.map((entry, i) => ({
          label: entry.name,
          data: corpora.map((corpus) => ratioOf(entry.name, corpus)),
          wanted: corpora.map((corpus) => wantedOf(entry.name, corpus)),
          backgroundColor: colourOf(entry, i),
          borderRadius: 3,
          base: 1,
          categoryPercentage: 0.82,
          barPercentage: 0.92,
        })),
      },
      options: {
        indexAxis: 'y',
        interaction: { mode: 'index', axis: 'y', intersect: false },
        scales: {
          x: logAxis(`times as fast as ${rival.value}`, (value) => `${value}×`, {
            min: Math.min(0.5, ...all) * 0.9,
            max: Math.max(2, ...all) * 1.1,
          }),
          y: { grid: { display: false }, ticks: { color: style('--ink') } },
        },
        plugins: {
          tooltip: {
            callbacks: {
              label: ({ dataset, dataIndex, raw }) => {
                const cell = find(operation.value, corpora[dataIndex], size.value, dataset.label);
                const wanted = dataset.wanted[dataIndex];
                return raw === null
                  ? `${dataset.label}: –`
                  : `${dataset.label}: ${showNumber(raw)}×, ${showSpeed(speed(cell))}${wanted ? `, wanted ${wanted}×` : ''}`;
              },
            },
          },
        },
      },
      plugins: [marks],
    };
  });
  updates.push(update);
  update();
}

/* ---- lines by size ---- */

function lines() {
  const usable = operations.filter((name) => sizesOf(name).length > 1);
  if (usable.length === 0) return;
  const made = section(
    'By size of the input',
    'Both axes are logarithmic. To the left, throughput; to the right, the time of one call: where it grows in proportion to the size, it runs along the dotted diagonal. Click a name to hide it.',
  );
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const update = () => {
    operation.set(usable, String, 'decode');
    corpus.set(corporaOf(operation.value), String, 'dump');
    who.set(['ours and platform', 'ours and peers', 'everybody'], String, 'ours and platform');
    for (const redraw of redraws) redraw();
  };
  const operation = picker(pickers, 'operation', () => update());
  const corpus = picker(pickers, 'corpus', () => update());
  const who = picker(pickers, 'who', () => update());
  const shown = () => {
    const groups = {
      'ours and platform': (one) => isMain(one) || one.group === 'platform',
      'ours and peers': (one) => isMain(one) || one.group === 'peer',
      everybody: () => true,
    };
    return entriesOf(operation.value).filter(groups[who.value]);
  };
  const chart = (value, title, show, guide) => () => {
    const sizes = sizesOf(operation.value);
    const counts = {};
    const datasets = shown().flatMap((entry) => {
      counts[entry.group] = (counts[entry.group] ?? -1) + 1;
      const data = sizes.flatMap((size) => {
        const cell = find(operation.value, corpus.value, size, entry.name);
        return cell ? [{ x: size, y: value(cell), cell }] : [];
      });
      return data.length > 0
        ? [{ label: entry.name, data, ...lineStyle(entry, counts[entry.group]) }]
        : [];
    });
    if (guide) datasets.push(...diagonal(datasets, sizes));
    return {
      type: 'line',
      data: { datasets },
      options: {
        interaction: { mode: 'nearest', axis: 'xy', intersect: false },
        scales: {
          x: sizeAxis(sizes, 'UTF-8 of the text'),
          y: logAxis(title, show),
        },
        plugins: {
          legend: {
            labels: { usePointStyle: true, boxHeight: 7, filter: ({ text }) => text !== '' },
          },
          tooltip: {
            filter: ({ raw }) => Boolean(raw.cell),
            callbacks: {
              title: ([item]) => (item ? showSize(item.raw.x) : ''),
              label: ({ dataset, raw: { cell } }) => [
                `${dataset.label}: ${showSpeed(speed(cell))}`,
                `${showTime(cell.median)}, half of ${cell.rounds} rounds from ${showTime(cell.lower)} to ${showTime(cell.upper)}`,
              ],
            },
          },
        },
      },
    };
  };
  const pair = made.appendChild(element('div', { className: 'pair' }));
  const redraws = [
    draw(pair, chart(speed, 'throughput', showSpeed), 460),
    draw(
      pair,
      chart((cell) => cell.median, 'time of one call', showTime, true),
      460,
    ),
  ];
  updates.push(update);
  update();
}

/* A line of slope 1 through the largest size of the first. */
function diagonal(datasets, sizes) {
  const last = datasets[0]?.data.at(-1);
  if (!last) return [];
  return [
    {
      label: '',
      data: sizes.map((size) => ({ x: size, y: (last.y * size) / last.x })),
      borderColor: style('--soft'),
      borderWidth: 1,
      borderDash: [1, 4],
      pointRadius: 0,
      order: 2,
    },
  ];
}

/* ---- commands ---- */

function commands() {
  const timed = report.commands.filter(({ time }) => time);
  for (const command of unique(timed.map((one) => one.command))) {
    const done = timed.filter((one) => one.command === command);
    const made = section(
      `utf8 ${command}`,
      `Whole processes, start-up included. Each row names the format and the share of damaged rows; the table says what each program does. The outputs were compared. Load of the machine at the start: ${report.machine.load.toFixed(1)}.`,
    );
    // Of the series of sizes, the bars show the largest.
    const raced = done.filter(
      (one) =>
        !done.some(
          (other) =>
            taskOf(other) === taskOf(one) &&
            other.contestant === one.contestant &&
            other.size > one.size,
        ),
    );
    const pair = made.appendChild(element('div', { className: 'pair' }));
    for (const [title, value] of [
      ['seconds', ({ time }) => time.median / 1000],
      ['processor seconds', ({ cpu }) => cpu.median / 1000],
      ['peak memory, MB', ({ rss }) => (rss ? rss / 1e6 : undefined)],
    ]) {
      bars(pair, raced, title, value);
    }
    if (command === 'convert') sizeLines(made, series);
    made.append(
      table(
        ['task', 'program', 'read', 'time', 'quartiles', 'processors', 'memory', 'what it does'],
        done.map((one) => ({
          className: one.group === 'ours' ? 'ours' : '',
          cells: [
            taskOf(one),
            one.contestant,
            showSize(one.size),
            showTime(one.time.median * 1e6),
            `${showTime(one.time.lower * 1e6)} – ${showTime(one.time.upper * 1e6)}`,
            showTime(one.cpu.median * 1e6),
            one.rss ? `${Math.round(one.rss / 1e6)} MB` : '–',
            { text: one.did, className: 'text' },
          ],
        })),
        `All of utf8 ${command}`,
      ),
    );
  }
}

const taskOf = ({ runtime, format, damage }) =>
  `${report.runtimes.length > 1 ? `${runtime}, ` : ''}${format}, ${damage}`;

/* A group of bars for each task, a bar for each program. */
function bars(parent, raced, title, value) {
  const tasks = unique(raced.map(taskOf));
  const names = unique(raced.map(({ contestant }) => contestant));
  const find = (task, name) => raced.find((one) => taskOf(one) === task && one.contestant === name);
  draw(
    parent,
    () => ({
      type: 'bar',
      data: {
        labels: tasks,
        datasets: names.map((name, i) => ({
          label: name,
          data: tasks.map((task) => {
            const one = find(task, name);
            return one && value(one);
          }),
          backgroundColor: colourOf(
            { name, group: raced.find(({ contestant }) => contestant === name).group },
            i,
          ),
          borderRadius: 2,
          skipNull: true,
        })),
      },
      options: {
        indexAxis: 'y',
        scales: {
          x: {
            title: { display: true, text: title },
            beginAtZero: true,
            grid: { color: style('--line') },
          },
          y: { grid: { display: false }, ticks: { color: style('--ink') } },
        },
        plugins: {
          tooltip: {
            callbacks: {
              label: ({ dataset, label, raw }) => [
                `${dataset.label}: ${showNumber(raw)} ${title}`,
                find(label, dataset.label).did,
              ],
            },
          },
        },
      },
    }),
    120 + raced.length * 16,
  )();
}

/* Time by size of the input, of the programs that ran on several. */
function sizeLines(made, done) {
  const names = unique(done.map(({ contestant }) => contestant)).filter(
    (name) => done.filter(({ contestant }) => contestant === name).length > 1,
  );
  if (names.length > 0) {
    const sizes = unique(
      done.filter(({ contestant }) => contestant === 'utf8 convert').map(({ size }) => size),
    );
    draw(
      made,
      () => {
        const datasets = names.map((name, i) => {
          const list = done.filter(({ contestant }) => contestant === name);
          return {
            label: name,
            data: list.map((one) => ({ x: one.size, y: one.time.median * 1e6, one })),
            ...lineStyle({ name, group: list[0].group }, i),
          };
        });
        return {
          type: 'line',
          data: { datasets: [...datasets, ...diagonal(datasets, sizes)] },
          options: {
            interaction: { mode: 'nearest', axis: 'xy', intersect: false },
            scales: {
              x: {
                ...sizeAxis(sizes, 'size of the file'),
                min: sizes[0] * 0.95,
                max: sizes.at(-1) * 1.05,
              },
              y: logAxis('time', showTime),
            },
            plugins: {
              legend: {
                labels: { usePointStyle: true, boxHeight: 7, filter: ({ text }) => text !== '' },
              },
              tooltip: {
                filter: ({ raw }) => Boolean(raw.one),
                callbacks: {
                  title: ([item]) => (item ? showSize(item.raw.x) : ''),
                  label: ({ dataset, raw: { one } }) =>
                    `${dataset.label}: ${showTime(one.time.median * 1e6)}${one.rss ? `, ${Math.round(one.rss / 1e6)} MB` : ''}`,
                },
              },
            },
          },
        };
      },
      320,
    )();
  }
}

/* ---- first calls ---- */

function starts() {
  const list = report.starts.filter(({ times }) => times.import);
  if (list.length === 0) return;
  const steps = Object.keys(list[0].times);
  const made = section(
    'A fresh process',
    'Milliseconds of the first import, and of the first call of each kind on 64 KiB, with nothing warm. native is TextDecoder and TextEncoder.',
  );
  const shades = [
    ['#c9d3e6', '#3c475c'],
    ['#2563eb', '#7aa2ff'],
    ['#0b8a5f', '#40d39c'],
    ['#d9480f', '#ff922b'],
  ];
  draw(
    made,
    () => ({
      type: 'bar',
      data: {
        labels: list.map(({ runtime: place, contestant }) =>
          report.runtimes.length > 1 ? `${contestant}, ${place}` : contestant,
        ),
        datasets: steps.map((step, i) => ({
          label: step,
          data: list.map(({ times }) => times[step].median),
          backgroundColor: shades[i % shades.length][dark.matches ? 1 : 0],
          borderRadius: 2,
        })),
      },
      options: {
        indexAxis: 'y',
        interaction: { mode: 'index', axis: 'y', intersect: false },
        scales: {
          x: {
            stacked: true,
            title: { display: true, text: 'ms' },
            grid: { color: style('--line') },
          },
          y: { stacked: true, grid: { display: false }, ticks: { color: style('--ink') } },
        },
        plugins: {
          tooltip: {
            callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${raw.toFixed(2)} ms` },
          },
        },
      },
    }),
    90 + list.length * 28,
  )();
}

/* ---- tables ---- */

function table(heads, rows, title) {
  const made = element(
    'table',
    {},
    element('tr', {}, ...heads.map((text) => element('th', { textContent: text }))),
    ...rows.map(({ className = '', cells: list }) =>
      element(
        'tr',
        { className },
        ...list.map((cell) =>
          element('td', {
            textContent: typeof cell === 'object' ? cell.text : cell,
            className: typeof cell === 'object' ? cell.className : '',
          }),
        ),
      ),
    ),
  );
  const scroll = element('div', { className: 'scroll' }, made);
  return title
    ? element('details', {}, element('summary', { textContent: title }), scroll)
    : scroll;
}

function targets() {
  if (report.targets.length === 0) return;
  const missed = report.targets.filter(({ isMet }) => !isMet);
  const made = section(
    'Targets',
    `${report.targets.length - missed.length} of ${report.targets.length} are met. They differ between runtimes; a miss never fails a run.`,
  );
  const rows = (list) =>
    list.map(
      ({ runtime: place, what, where, measured, relation, wanted, unit, isMet, isNoisy }) => ({
        cells: [
          { text: aboutOf(place), className: 'text' },
          { text: what, className: 'text' },
          { text: where, className: 'text' },
          {
            text: `${showNumber(measured)}${unit}${isNoisy ? '~' : ''}`,
            className: isMet ? 'good' : 'bad',
          },
          `${relation} ${wanted}${unit}`,
        ],
      }),
    );
  const heads = ['runtime', 'what', 'where', 'measured', 'wanted'];
  if (missed.length > 0) made.append(table(heads, rows(missed), `${missed.length} missed`));
  made.append(
    table(
      heads,
      rows(report.targets.filter(({ isMet }) => isMet)),
      `${report.targets.length - missed.length} met`,
    ),
  );
}

function numbers() {
  if (plain.length === 0) return;
  const made = section(
    'All numbers',
    'MB/s of the text’s UTF-8, which is the same for all variants. Hover over one for its time and spread. ~ stands for noisy. † takes malformed input without a word, too.',
  );
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const place = made.appendChild(element('div'));
  const update = () => {
    operation.set(operations, String, 'decode');
    size.set(sizesOf(operation.value), showSize, 65536);
    const corpora = corporaOf(operation.value);
    const rows = entriesOf(operation.value)
      .map((entry) => ({
        entry,
        found: corpora.map((corpus) => find(operation.value, corpus, size.value, entry.name)),
      }))
      .filter(({ found }) => found.some(Boolean));
    const made = table(
      ['', ...corpora],
      rows.map(({ entry, found }) => ({
        className: entry.group === 'ours' ? 'ours' : '',
        cells: [
          entry.name + (entry.lax ? ' †' : ''),
          ...found.map((cell) =>
            cell ? `${showNumber(speed(cell))}${cell.isNoisy ? '~' : ''}` : '–',
          ),
        ],
      })),
    );
    for (const [i, row] of [...made.querySelectorAll('tr')].slice(1).entries()) {
      const { entry, found } = rows[i];
      row.cells[0].title = entry.remark ?? '';
      for (const [j, cell] of found.entries()) {
        if (!cell) continue;
        row.cells[j + 1].title =
          `${showTime(cell.median)}, half of ${cell.rounds} rounds from ${showTime(cell.lower)} to ${showTime(cell.upper)}`;
      }
    }
    place.replaceChildren(made);
  };
  const operation = picker(pickers, 'operation', () => update());
  const size = picker(pickers, 'size', () => update());
  updates.push(update);
  update();

  if (report.memory.length > 0) {
    const kib = (bytes) => `${(bytes / 1024).toFixed(1)}`;
    made.append(
      table(
        ['one call', 'input', 'KiB allocated', 'KiB kept by the result'],
        report.memory.map(
          ({ runtime: place, operation, contestant, corpus, size, allocated, kept }) => ({
            cells: [
              `${aboutOf(place)}: ${operation} ${contestant}`,
              `${corpus}, ${showSize(size)}`,
              kib(allocated),
              kib(kept),
            ],
          }),
        ),
        'Memory of one call',
      ),
    );
  }
  made.append(
    table(
      ['peer', 'version'],
      Object.entries(report.peers).map(([name, version]) => ({ cells: [name, version] })),
      'Peers',
    ),
  );
  if (report.skipped.length > 0) {
    made.append(element('p', { textContent: `Skipped: ${report.skipped.join('; ')}.` }));
  }
}

head();
runtimes();
builds();
backends();
ratios();
lines();
commands();
starts();
targets();
numbers();
if (report.wrong.length > 0 && !report.wrong.some(({ isOurs }) => isOurs)) wrong();
dark.addEventListener('change', () => {
  for (const redraw of charts) redraw();
});
