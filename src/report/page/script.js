// Zoom, cross-hair and copy button of a report. Without it the page is whole, and still. The page writes LAYOUT and
// clock, which it lays itself out by too, before it.
/* global LAYOUT, clock */
(() => {
  const data = JSON.parse(document.getElementById('report-data').textContent);
  const { durationSeconds, framesPerSecond } = data;
  const scroller = document.getElementById('scroller');
  const tracks = document.getElementById('tracks');
  const axis = document.getElementById('axis');
  const readout = document.getElementById('readout');
  const SVG = 'http://www.w3.org/2000/svg';
  // At most so many seconds of the clip, or frames of it, fill the window.
  const CLOSEST_SECONDS = 1.5;
  const mostZoom = Math.max(1, durationSeconds / CLOSEST_SECONDS);
  let zoom = 1;
  let shownSeconds = null;

  const axisBox = () => axis.getBoundingClientRect();

  // Layout that depends on how wide the axis is.

  function layOut() {
    const width = axisBox().width;
    for (const text of document.querySelectorAll('.fit')) {
      text.classList.toggle(
        'tight',
        text.textContent.length * LAYOUT.characterPixels > text.dataset.room * width,
      );
    }
    for (const track of document.querySelectorAll('.wave')) {
      track.classList.toggle(
        'dense',
        (width * track.dataset.beatSeconds) / durationSeconds < LAYOUT.densePixels,
      );
    }
    for (const shot of document.querySelectorAll('.film-shot')) layOutShot(shot, width);
    drawRuler(width);
    if (shownSeconds !== null) show(shownSeconds);
  }

  function layOutShot(shot, axisWidth) {
    const stillWidth = Number(shot.parentElement.dataset.stillWidth);
    const stills = [...shot.children];
    const width = shot.dataset.share * axisWidth;
    const slots = Math.max(1, Math.min(stills.length, Math.ceil(width / stillWidth)));
    for (const still of stills) still.classList.add('tight');
    if (stills.length === 0) return;
    for (let slot = 0; slot < slots; slot++) {
      const still = stills[Math.floor(((slot + 0.5) * stills.length) / slots)];
      still.classList.remove('tight');
      still.setAttribute('x', `${(slot / slots) * 100}%`);
      still.setAttribute('width', `${100 / slots}%`);
      // A slot wider than the picture shows all of it; a narrower one its middle.
      const fits = width / slots > stillWidth;
      still.setAttribute('preserveAspectRatio', fits ? 'xMidYMid meet' : 'xMidYMid slice');
    }
  }

  function drawRuler(width) {
    const ruler = axis.querySelector('.ruler');
    const step =
      LAYOUT.tickSteps.find((one) => (one / durationSeconds) * width >= LAYOUT.leastTickPixels) ??
      LAYOUT.tickSteps.at(-1);
    const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    const parts = [];
    for (let tick = 0; tick * step <= durationSeconds; tick++) {
      const seconds = tick * step;
      const x = `${(seconds / durationSeconds) * 100}%`;
      const line = document.createElementNS(SVG, 'line');
      for (const [name, value] of [
        ['x1', x],
        ['x2', x],
        ['y1', 19],
        ['y2', 26],
      ])
        line.setAttribute(name, value);
      const text = document.createElementNS(SVG, 'text');
      const nearEnd = (1 - seconds / durationSeconds) * width < 24;
      text.setAttribute('x', x);
      text.setAttribute('y', 14);
      text.setAttribute('text-anchor', tick === 0 ? 'start' : nearEnd ? 'end' : 'middle');
      text.textContent = clock(seconds, digits);
      parts.push(line, text);
    }
    ruler.replaceChildren(...parts);
  }

  // Zoom about a point of time, which stays where it is.

  function zoomTo(wanted, seconds) {
    const before = axisBox();
    const centre = seconds ?? timeAt(scroller.getBoundingClientRect().left + scroller.clientWidth / 2);
    const offset = before.left + (centre / durationSeconds) * before.width;
    zoom = Math.min(mostZoom, Math.max(1, wanted));
    tracks.style.setProperty('--scale', zoom);
    const after = axisBox();
    scroller.scrollLeft += after.left + (centre / durationSeconds) * after.width - offset;
    layOut();
  }

  function timeAt(clientX) {
    const box = axisBox();
    return Math.min(durationSeconds, Math.max(0, ((clientX - box.left) / box.width) * durationSeconds));
  }

  // Cross-hair.

  const crossHair = document.createElement('div');
  crossHair.className = 'cross-hair';
  crossHair.hidden = true;
  tracks.append(crossHair);

  function show(seconds) {
    shownSeconds = seconds;
    const box = axisBox();
    const x = box.left - tracks.getBoundingClientRect().left + (seconds / durationSeconds) * box.width;
    crossHair.style.transform = `translateX(${x}px)`;
    crossHair.hidden = false;
    readout.replaceChildren(
      ...valuesAt(seconds).map(([name, value], index) => {
        const item = document.createElement('span');
        if (index === 0) item.className = 'time';
        const bold = document.createElement('b');
        bold.textContent = value;
        item.append(name === '' ? '' : `${name} `, bold);
        return item;
      }),
    );
  }

  function hide() {
    shownSeconds = null;
    crossHair.hidden = true;
    readout.replaceChildren();
  }

  function signed(value, digits) {
    const size = Math.abs(value).toFixed(digits);
    return `${Number(size) === 0 ? '' : value < 0 ? '−' : '+'}${size}`;
  }

  const at = (values, seconds) =>
    values[Math.min(values.length - 1, Math.floor((seconds / durationSeconds) * values.length))];

  function valuesAt(seconds) {
    const values = [['', clock(seconds, 2)]];
    if (framesPerSecond !== null) {
      const last = Math.max(0, Math.round(durationSeconds * framesPerSecond) - 1);
      values.push(['frame', Math.min(last, Math.floor(seconds * framesPerSecond + 1e-6))]);
    }
    if (data.shots.length > 0) {
      const index = Math.max(
        0,
        data.shots.findLastIndex(([start]) => start <= seconds),
      );
      values.push(['shot', index + 1], ['', data.shots[index][1] ?? 'camera not found']);
    }
    if (data.peaks !== null) {
      const peak = at(data.peaks, seconds);
      values.push(['peak', peak > 0 ? `${signed(20 * Math.log10(peak), 1)} dBFS` : 'silence']);
    }
    if (data.beats.length > 0) {
      const nearest = data.beats.reduce((best, beat) =>
        Math.abs(beat - seconds) < Math.abs(best - seconds) ? beat : best,
      );
      values.push(['beat', `${signed((nearest - seconds) * 1000, 0)} ms`]);
    }
    if (data.loudness !== null) {
      const loudness = data.loudness[Math.min(data.loudness.length - 1, Math.floor(seconds))] ?? null;
      values.push([
        'loudness',
        loudness === null ? 'silent' : `${loudness.toFixed(1).replace('-', '−')} LUFS`,
      ]);
    }
    if (data.motion !== null) {
      const { pan, tilt, zoom: zooms } = data.motion;
      values.push(['pan', `${signed(at(pan, seconds) * 100, 0)} %/s`]);
      values.push(['tilt', `${signed(at(tilt, seconds) * 100, 0)} %/s`]);
      values.push(['zoom', `${signed(at(zooms, seconds) * 100, 1)} %/s`]);
    }
    for (const [name, spans] of data.lanes) {
      if (spans.some(([start, end]) => start <= seconds && seconds < end))
        values.push(['', name.toLowerCase()]);
    }
    return values;
  }

  tracks.addEventListener('pointermove', (event) => show(timeAt(event.clientX)));
  tracks.addEventListener('pointerdown', (event) => show(timeAt(event.clientX)));
  scroller.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') hide();
  });

  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomTo(zoom * 1.0018 ** -event.deltaY, timeAt(event.clientX));
    },
    { passive: false },
  );

  const MOVES = { ArrowLeft: -1, ArrowRight: 1 };
  scroller.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frame = 1 / (framesPerSecond ?? 20);
    const now = shownSeconds ?? 0;
    if (event.key in MOVES) moveTo(now + MOVES[event.key] * (event.shiftKey ? 1 : frame));
    else if (event.key === 'Home') moveTo(0);
    else if (event.key === 'End') moveTo(durationSeconds);
    else if (event.key === '+' || event.key === '=') zoomTo(zoom * 1.5, shownSeconds);
    else if (event.key === '-') zoomTo(zoom / 1.5, shownSeconds);
    else if (event.key === '0') zoomTo(1, null);
    else if (event.key === 'Escape') hide();
    else return;
    event.preventDefault();
  });

  function moveTo(seconds) {
    show(Math.min(durationSeconds, Math.max(0, seconds)));
    const hair = crossHair.getBoundingClientRect().left;
    const box = scroller.getBoundingClientRect();
    const margin = 220;
    if (hair < box.left + margin) scroller.scrollLeft -= box.left + margin - hair;
    if (hair > box.right - 40) scroller.scrollLeft += hair - box.right + 40;
  }

  document.getElementById('zoom-in').addEventListener('click', () => zoomTo(zoom * 1.6, shownSeconds));
  document.getElementById('zoom-out').addEventListener('click', () => zoomTo(zoom / 1.6, shownSeconds));
  document.getElementById('zoom-fit').addEventListener('click', () => zoomTo(1, null));
  document.querySelector('.zoom-buttons').hidden = false;
  document.getElementById('timeline-hint').hidden = false;
  addEventListener('resize', layOut);
  layOut();

  // Copy.

  const copy = document.getElementById('copy');
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    const source = document.getElementById('style-json');
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // Pages opened from a file may not reach the clipboard by themselves: select, so that Ctrl-C does.
      document.querySelector('.raw details').open = true;
      getSelection().selectAllChildren(source);
      copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
      return;
    }
    copy.textContent = 'Copied';
  });
})();
