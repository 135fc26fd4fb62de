/* The part of the page about native code: uses what script.js has declared. */
if (report.native) {
  const { rows, versions, leftOut, remarks } = report.native;
  const made = section(
    'Against native code',
    'MB/s of the text, and the speed of ours divided by that of the native peer: below 1× native wins.',
  );
  const pickers = made.appendChild(element('div', { className: 'pickers' }));
  const box = made.appendChild(element('div'));
  const update = () => {
    contest.set(unique(rows.map((row) => row.contest)), String, rows[0]?.contest);
    const some = rows.filter((row) => row.contest === contest.value);
    size.set(
      unique(some.map((row) => row.size)).sort((a, b) => a - b),
      showSize,
      65536,
    );
    const shown = some.filter((row) => row.size === size.value);
    const head = ['corpus', 'peer', 'ours', 'theirs', 'ours / theirs'];
    const body = shown.map(({ corpus, peer, isLax, isNoisy, ours, speed: theirs, ratio }) => ({
      cells: [
        corpus,
        peer + (isLax ? ' †' : ''),
        showSpeed(ours),
        showSpeed(theirs),
        {
          text: `${isNoisy ? '~' : ''}${showNumber(ratio)}×`,
          className: isNoisy ? '' : ratio < 0.95 ? 'bad' : ratio > 1.05 ? 'good' : '',
        },
      ],
    }));
    box.replaceChildren(table(head, body));
  };
  const contest = picker(pickers, 'operation', () => update());
  const size = picker(pickers, 'size', () => update());
  update();
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  for (const textContent of [
    ...remarks,
    '† accepts malformed input; ~ the quartiles of the ratio lie far apart.',
    named.join(', '),
    ...leftOut.map((line) => `Left out: ${line}`),
  ]) {
    made.append(element('p', { textContent }));
  }
}
