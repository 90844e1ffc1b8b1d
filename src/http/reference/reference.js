// The reference works without this; with it the examples run against the service that serves the page.

const root = new URL(document.documentElement.dataset.root, location.href);
const base = root.href.replace(/\/$/, '');
/** Ids that answers brought, by their names, for the forms that need them next. */
const known = new Map();
const SHOWN_CHARACTERS = 100_000;

for (const place of document.querySelectorAll('[data-base]')) place.textContent = base;
for (const hidden of document.querySelectorAll('.copy, .run, .languages, #find')) hidden.hidden = false;

// Languages and copies

function choose(language) {
  document.documentElement.dataset.language = language;
  for (const button of document.querySelectorAll('[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === language));
}

for (const button of document.querySelectorAll('[data-choose]'))
  button.addEventListener('click', () => choose(button.dataset.choose));
choose('curl');

for (const button of document.querySelectorAll('.copy'))
  button.addEventListener('click', async () => {
    const code = button.closest('figure').querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Pages without TLS may not write to the clipboard: the reader's own keys can.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });

// Contents

const find = document.querySelector('#find');
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const item of document.querySelectorAll('[data-words]'))
    item.hidden = !words.every((word) => item.dataset.words.includes(word));
});

const contents = document.querySelector('.contents');
const wide = matchMedia('(min-width: 60rem)');
const fitContents = () => {
  contents.open = wide.matches;
};
wide.addEventListener('change', fitContents);
fitContents();
contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && !wide.matches) contents.open = false;
});

const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
const inView = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      contents.querySelector('[aria-current]')?.removeAttribute('aria-current');
      links.get(target.id)?.setAttribute('aria-current', 'true');
      links.get(target.id)?.scrollIntoView({ block: 'nearest' });
    }
  },
  { rootMargin: '-15% 0px -80% 0px' },
);
for (const section of document.querySelectorAll('main section')) inView.observe(section);

// Examples that follow what is filled in

function fieldsOf(form, where) {
  return [...form.querySelectorAll(`[data-in="${where}"]`)].filter(({ value }) => value !== '');
}

function queryOf(form) {
  const pairs = fieldsOf(form, 'query').map(({ name, value }) => [name, value]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** As it stands in TypeScript: keys without quotation marks where they need none. */
function literal(text) {
  return text.replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:').replaceAll('"', "'");
}

function follow(form) {
  const section = form.closest('section');
  for (const { name, value } of fieldsOf(form, 'path'))
    for (const place of section.querySelectorAll(`[data-path="${name}"]`)) place.textContent = value;
  for (const { name, value } of fieldsOf(form, 'header'))
    for (const place of section.querySelectorAll(`[data-header="${name}"]`)) place.textContent = value;
  for (const place of section.querySelectorAll('[data-query="url"]')) place.textContent = queryOf(form);
  for (const place of section.querySelectorAll('[data-query="object"]')) {
    const fields = fieldsOf(form, 'query').map(({ name, value }) =>
      /^\d+$/.test(value) ? `${name}: ${value}` : `${name}: '${value}'`,
    );
    place.textContent = fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
  }
  const body = form.querySelector('textarea')?.value;
  if (body === undefined) return;
  // Within the quotation marks of a shell a quotation mark is written so.
  for (const place of section.querySelectorAll('[data-body="json"]'))
    place.textContent = body.replaceAll("'", `'\\''`);
  for (const place of section.querySelectorAll('[data-body="object"]')) place.textContent = literal(body);
}

/** Puts the ids that are known where nothing has been typed. */
function fillIn(form) {
  for (const field of form.querySelectorAll('[data-in="path"]'))
    if (field.value === '' && known.has(field.name)) field.value = known.get(field.name);
  const body = form.querySelector('textarea');
  if (body !== null && known.has('video_id'))
    body.value = body.value.replace(/("video_id": )"019aa3f1-0d52-[^"]*"/, `$1"${known.get('video_id')}"`);
  follow(form);
}

/** The newest video and job, before anything was made on this page. */
async function learn() {
  for (const [name, list] of [
    ['video_id', 'videos'],
    ['job_id', 'jobs'],
  ]) {
    if (known.has(name)) continue;
    const answer = await fetch(`${base}/api/v1/${list}?page_size=1`).catch(() => null);
    const newest = answer?.ok && (await answer.json()).data[list][0];
    if (newest) remember(newest);
  }
}

function remember(data) {
  for (const [name, value] of Object.entries(data ?? {}))
    if (/^(video|job|upload|preview|webhook|preset)_id$/.test(name) && typeof value === 'string')
      known.set(name, value);
  for (const list of [data?.jobs, data?.videos, data?.presets, data?.webhooks])
    if (list?.[0]) remember(list[0]);
  if (data?.artifacts?.[0]) known.set('name', data.artifacts[0].name);
}

// Running

for (const form of document.querySelectorAll('.run')) {
  follow(form);
  form.addEventListener('input', () => follow(form));
  form.addEventListener(
    'focusin',
    async () => {
      await learn();
      // What deletes is filled in by hand.
      if (form.dataset.method !== 'DELETE') fillIn(form);
    },
    { once: true },
  );
  for (const button of form.querySelectorAll('.choice'))
    button.addEventListener('click', () => {
      form.querySelector('textarea').value = button.dataset.text;
      fillIn(form);
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(form);
  });
}

async function run(form) {
  const outcome = form.querySelector('.outcome');
  const stop = form.querySelector('.stop');
  const abort = new AbortController();
  stop.onclick = () => abort.abort();
  stop.hidden = false;
  outcome.replaceChildren(element('p', 'Asking …'));
  const started = performance.now();
  try {
    const request = requestOf(form);
    const response = await fetch(request.url, { ...request, signal: abort.signal });
    const took = Math.round(performance.now() - started);
    const line = element('p');
    const status = element('span', `${response.status} ${response.statusText}`, 'status');
    status.dataset.kind = String(response.status)[0];
    line.append(status, ` ${took} ms, ${response.headers.get('x-request-id') ?? ''}`);
    outcome.replaceChildren(line);
    await show(response, request.url, outcome);
  } catch (error) {
    outcome.append(element('p', abort.signal.aborted ? 'Stopped.' : `No answer: ${error.message}`));
  } finally {
    stop.hidden = true;
  }
}

function requestOf(form) {
  const { method, path, consumes } = form.dataset;
  const ids = Object.fromEntries(fieldsOf(form, 'path').map(({ name, value }) => [name, value]));
  const url =
    base + path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(ids[name])) + queryOf(form);
  const headers = new Headers(fieldsOf(form, 'header').map(({ name, value }) => [name, value]));
  const field = form.querySelector('[name="body"]');
  if (field === null) return { url, method, headers };
  if (consumes === 'multipart/form-data') {
    const body = new FormData();
    body.append('file', field.files[0]);
    return { url, method, headers, body };
  }
  headers.set('content-type', consumes);
  return { url, method, headers, body: field.files?.[0] ?? field.value };
}

async function show(response, url, outcome) {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return showJson(await response.text(), outcome);
  if (type.startsWith('text/event-stream')) return showEvents(response, outcome);
  if (type.startsWith('image/') || type.startsWith('video/')) {
    await response.body?.cancel();
    const media = element(type.startsWith('image/') ? 'img' : 'video');
    media.controls = true;
    media.alt = 'The answer';
    media.src = url;
    outcome.append(media);
    return;
  }
  if (type.startsWith('text/') && !type.startsWith('text/html')) {
    outcome.append(code((await response.text()).slice(0, SHOWN_CHARACTERS)));
    return;
  }
  await response.body?.cancel();
  if (response.status === 204) return;
  const link = element('a', 'Open the answer');
  link.href = url;
  link.target = '_blank';
  outcome.append(link);
}

function showJson(text, outcome) {
  const answer = JSON.parse(text);
  remember(answer.data);
  for (const form of document.querySelectorAll('.run:not([data-method="DELETE"])')) fillIn(form);
  outcome.append(code(JSON.stringify(answer, null, 2).slice(0, SHOWN_CHARACTERS)));
}

async function showEvents(response, outcome) {
  const pre = code('');
  outcome.append(pre);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pre.firstChild.textContent = (pre.firstChild.textContent + value).slice(-SHOWN_CHARACTERS);
    pre.scrollTop = pre.scrollHeight;
  }
}

function code(text) {
  const pre = element('pre');
  pre.tabIndex = 0;
  pre.append(element('code', text));
  return pre;
}

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  if (text !== '') made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}
