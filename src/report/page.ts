import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LAYOUT } from './axis.ts';
import { header } from './header.ts';
import { Markup, markup } from './markup.ts';
import { audioPanel } from './panel-audio.ts';
import { cameraPanel } from './panel-camera.ts';
import { captionPanel } from './panel-captions.ts';
import { colourPanel } from './panel-colour.ts';
import { rhythmPanel } from './panel-rhythm.ts';
import { stillDefinitions } from './row-film.ts';
import { shotList } from './shot-list.ts';
import { timeline } from './timeline.ts';
import type { ReportView } from './view.ts';
import { clock } from './wording.ts';

/** In the order in which they override each other. */
const STYLE_SHEETS = [
  'base.css',
  'header.css',
  'timeline.css',
  'rows.css',
  'panels.css',
  'plots.css',
  'shots.css',
  'narrow-and-print.css',
];

/** A report as one HTML page that needs nothing else. */
export function reportPage(view: ReportView): string {
  const style = new Markup(STYLE_SHEETS.map(asset).join('\n'));
  const script = new Markup(`const LAYOUT = ${JSON.stringify(LAYOUT)};\n${clock}\n${asset('script.js')}`);
  const body = markup`${stillDefinitions(view.time.shots)}<main>
${header(view)}
${timeline(view.time)}
<div class="panels">${[
    view.colour && colourPanel(view.colour),
    view.camera && cameraPanel(view.camera),
    view.captions && captionPanel(view.captions, view.time.ratio ?? 1),
    view.rhythm && rhythmPanel(view.rhythm),
    view.audio && audioPanel(view.audio),
  ]}</div>
${view.time.shots.length > 0 && shotList(view.time.shots)}
<div class="raw"><details class="card"><summary><h2>${view.colour === null ? 'Fields of the sound' : 'style_json'}</h2></summary><pre id="style-json" tabindex="0">${view.json}</pre></details><button type="button" id="copy" hidden>Copy</button></div>
<footer>Measured by StyleDNA ${view.version}, ${view.createdAt}. What was not found is left out, never guessed.</footer>
</main>`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style, script)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="StyleDNA ${view.version}">
<title>${view.name}: Style DNA</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`.text;
}

/** Nothing is fetched from anywhere: the style sheet and the script by their hashes, pictures from the page itself. */
function contentPolicy(style: Markup, script: Markup): string {
  const hash = ({ text }: Markup) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Line ends as parsers normalise them, or the hash would not fit. */
function asset(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
}
