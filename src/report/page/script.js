// Zoom, cross-hair, enlarged frames, film, copy button and tabs of reports. Without it the page is complete but static.
// The page defines LAYOUT, clock and placeLabels, which its own layout uses too, before this script.
/* global LAYOUT, clock, placeLabels */
const SVG = 'http://www.w3.org/2000/svg';

// One enlarged frame at a time, beside its trigger.

const loupe = document.createElement('div');
loupe.className = 'loupe';
loupe.hidden = true;
document.body.append(loupe);

function enlarge(stillId, words, centreX, top, bottom) {
  const still = document.getElementById(stillId);
  const [width, height] = ['width', 'height'].map((name) => Number(still.getAttribute(name)));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#${stillId}`);
  svg.append(use);
  const text = document.createElement('p');
  text.textContent = words;
  loupe.replaceChildren(svg, text);
  loupe.classList.toggle('upright', height > width);
  loupe.hidden = false;
  const box = loupe.getBoundingClientRect();
  const left = Math.min(innerWidth - box.width - 8, Math.max(8, centreX - box.width / 2));
  const above = top - box.height - 10;
  loupe.style.transform = `translate(${left}px, ${above >= 8 ? above : Math.min(bottom + 10, innerHeight - box.height - 8)}px)`;
}

function shrink() {
  loupe.hidden = true;
}

/** Replaces the picture by the film once it can play. Its play function does nothing before that. */
function filmOf(root) {
  const film = { video: null, playFrom() {} };
  const video = root.querySelector('.monitor video');
  if (video === null) return film;
  const open = () => {
    if (film.video !== null || video.videoWidth === 0) return;
    film.video = video;
    film.playFrom = (seconds) => {
      video.currentTime = seconds;
      video.play().catch(() => {});
    };
    video.hidden = false;
    video.parentElement.classList.add('plays');
  };
  // Wait for the first frame.
  video.addEventListener('loadeddata', open);
  if (video.readyState > 1) open();
  return film;
}

function startFrames(root, film) {
  for (const frame of root.querySelectorAll('button.frame')) {
    const show = () => {
      const box = frame.getBoundingClientRect();
      const words = frame.getAttribute('aria-label');
      enlarge(frame.dataset.still, words, box.left + box.width / 2, box.top, box.bottom);
    };
    frame.addEventListener('pointerenter', show);
    frame.addEventListener('focus', show);
    frame.addEventListener('pointerleave', shrink);
    frame.addEventListener('blur', shrink);
    frame.addEventListener('click', () => {
      if (film.video === null) return show();
      shrink();
      film.video.scrollIntoView({ block: 'nearest' });
      film.playFrom(Number(frame.dataset.seconds));
    });
  }
}

/** Returns a function that repeats the layout of the time axis after a change of width. */
function startTimeline(root, film) {
  const data = JSON.parse(root.querySelector('.report-data').textContent);
  const { durationSeconds, framesPerSecond } = data;
  const scroller = root.querySelector('.scroller');
  const tracks = root.querySelector('.tracks');
  const axis = root.querySelector('.axis');
  const readout = root.querySelector('.readout');
  // Limits of the zoom: seconds or frames of the clip that fill the window.
  const CLOSEST_SECONDS = 1.5;
  const mostZoom = Math.max(1, durationSeconds / CLOSEST_SECONDS);
  let zoom = 1;
  let shownSeconds = null;

  const axisBox = () => axis.getBoundingClientRect();

  // Layout that depends on the width of the axis.

  function layOut() {
    const width = axisBox().width;
    for (const text of root.querySelectorAll('.fit')) {
      text.classList.toggle(
        'tight',
        text.textContent.length * LAYOUT.characterPixels > text.dataset.room * width,
      );
    }
    for (const track of root.querySelectorAll('.track.wave')) {
      track.classList.toggle(
        'dense',
        (width * track.dataset.beatSeconds) / durationSeconds < LAYOUT.densePixels,
      );
    }
    for (const shot of root.querySelectorAll('.film-shot')) layOutShot(shot, width);
    layOutLabels(width);
    drawRuler(width);
    if (shownSeconds !== null) show(shownSeconds);
  }

  function layOutLabels(width) {
    const texts = [...root.querySelectorAll('.lane-label')];
    const labels = texts.map((text) => ({
      start: text.dataset.start * width,
      end: text.dataset.end * width,
      width: text.textContent.length * LAYOUT.characterPixels,
    }));
    for (const [index, { lane, fromEnd }] of placeLabels(labels, LAYOUT.labelLanes, width).entries()) {
      const text = texts[index];
      text.classList.toggle('tight', lane < 0);
      text.setAttribute('x', `${(fromEnd ? text.dataset.end : text.dataset.start) * 100}%`);
      text.setAttribute('y', 11 + Math.max(0, lane) * LAYOUT.laneHeight);
      text.setAttribute('text-anchor', fromEnd ? 'end' : 'start');
    }
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
      // A slot wider than the picture shows the whole picture, a narrower one its middle.
      const fits = width / slots > stillWidth;
      still.setAttribute('preserveAspectRatio', fits ? 'xMidYMid meet' : 'xMidYMid slice');
    }
  }

  function drawRuler(width) {
    const ruler = axis.querySelector('.ruler');
    const step =
      LAYOUT.tickSteps.find((one) => (one / durationSeconds) * width >= LAYOUT.minTickPixels) ??
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

  // Zoom about a point of time, which does not move.

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
      values.push([data.shotName, index + data.firstShot], ['', data.shots[index][1]]);
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

  // The frame under the cross-hair, enlarged above or below the filmstrip.

  const strip = root.querySelector('.track.film');

  function showFrame(seconds) {
    if (strip === null || data.stills.length === 0) return;
    const nearest = data.stills.reduce((best, still) =>
      Math.abs(still[0] - seconds) < Math.abs(best[0] - seconds) ? still : best,
    );
    const box = strip.getBoundingClientRect();
    const hair = axisBox().left + (seconds / durationSeconds) * axisBox().width;
    enlarge(nearest[1], clock(nearest[0], 2), hair, box.top, box.bottom);
  }

  tracks.addEventListener('pointermove', (event) => {
    const seconds = timeAt(event.clientX);
    show(seconds);
    if (event.target.closest('.film') !== null) showFrame(seconds);
    else shrink();
  });
  tracks.addEventListener('pointerdown', (event) => show(timeAt(event.clientX)));
  tracks.addEventListener('click', (event) => film.playFrom(timeAt(event.clientX)));
  scroller.addEventListener('pointerleave', (event) => {
    shrink();
    if (event.pointerType === 'mouse') hide();
  });
  scroller.addEventListener('blur', shrink);

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
    else if (event.key === 'Enter') film.playFrom(now);
    else if (event.key === 'Escape') {
      hide();
      shrink();
    } else return;
    event.preventDefault();
  });

  function moveTo(seconds) {
    show(Math.min(durationSeconds, Math.max(0, seconds)));
    const hair = crossHair.getBoundingClientRect().left;
    const box = scroller.getBoundingClientRect();
    const margin = 220;
    if (hair < box.left + margin) scroller.scrollLeft -= box.left + margin - hair;
    if (hair > box.right - 40) scroller.scrollLeft += hair - box.right + 40;
    showFrame(shownSeconds);
  }

  // While the film plays, the cross-hair follows it.

  root.querySelector('.monitor video')?.addEventListener('timeupdate', (event) => {
    if (film.video !== null) show(Math.min(durationSeconds, event.target.currentTime));
  });

  root.querySelector('.zoom-in').addEventListener('click', () => zoomTo(zoom * 1.6, shownSeconds));
  root.querySelector('.zoom-out').addEventListener('click', () => zoomTo(zoom / 1.6, shownSeconds));
  root.querySelector('.zoom-fit').addEventListener('click', () => zoomTo(1, null));
  root.querySelector('.zoom-buttons').hidden = false;
  root.querySelector('.hint').hidden = false;
  return layOut;
}

function startCopy(root) {
  const copy = root.querySelector('.copy');
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    const source = root.querySelector('.style-json');
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      // Pages opened from a file may have no clipboard access: select the text for Ctrl-C.
      root.querySelector('.raw details').open = true;
      getSelection().selectAllChildren(source);
      copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
      return;
    }
    copy.textContent = 'Copied';
  });
}

const layOuts = [];
for (const root of document.querySelectorAll('.report')) {
  const film = filmOf(root);
  startFrames(root, film);
  if (root.querySelector('.report-data') !== null) layOuts.push(startTimeline(root, film));
  startCopy(root);
}

const layOutAll = () => {
  for (const layOut of layOuts) layOut();
};

// Several reports follow each other; tabs show one at a time (WAI-ARIA, "Tabs").

const tabs = [...document.querySelectorAll('.tabs button')];
function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
  shrink();
  layOutAll();
}
if (tabs.length > 0) {
  tabs[0].parentElement.hidden = false;
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  }
  choose(tabs[0]);
}

// A moment in a list plays the output from there.

const output = document.querySelector('.outcome video');
const played = output ?? document.querySelector('[data-key="edit"] .monitor video');
for (const moment of document.querySelectorAll('button.moment')) {
  moment.addEventListener('click', () => {
    if (played === null || played.hidden) return;
    played.scrollIntoView({ block: 'nearest' });
    played.currentTime = Number(moment.dataset.seconds);
    played.play().catch(() => {});
  });
}
if (output !== null) {
  // If it does not play, its picture remains. The event may still come after the state was seen.
  const open = () => {
    if (output.videoWidth === 0 || !output.hidden) return;
    output.hidden = false;
    output.previousElementSibling.remove();
  };
  output.addEventListener('loadeddata', open, { once: true });
  if (output.readyState > 1) open();
}

addEventListener('resize', layOutAll);
layOutAll();
