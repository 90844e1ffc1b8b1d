/** Tasks of a media child that plan edits. Each loads only the modules that it needs. */
import { readFile } from 'node:fs/promises';
import type { AudioFacts, ClipFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import type { Transcript } from '../../domain/transcription.ts';
import type { Take } from '../../style/model/timeline.ts';
import type { SourceCaptions } from '../../style/plan/captions.ts';
import type { Plan } from './direct-results.ts';
import type { AudioResult, PlanInput, TaskInput } from './tasks.ts';

/** Above this confidence a match of soundtracks counts as the same song; different songs are below .5. */
const SAME_SONG_CONFIDENCE = 0.8;

/** The timeline of one source. */
export async function timelineOf({ captions: wanted, ...input }: PlanInput) {
  const { planSource } = await import('../../style/plan/source-part.ts');
  const mpegStartSeconds = input.source.video.mpegStartSeconds ?? null;
  const captions = wanted === null ? null : await readCaptions(wanted, mpegStartSeconds);
  return planSource({ ...input, captions });
}

/** Task `plan`. */
export async function planEdit(input: PlanInput) {
  const { timeline, warnings } = await timelineOf(input);
  const { grade } = timeline.takes[0];
  const cube = grade === null ? null : await cubeTextOf(grade);
  return { timeline, cube, warnings, takeMedia: [takeMediaOf(input.source)] };
}

function takeMediaOf({ video, audio }: ClipFacts): Plan['takeMedia'][number] {
  return { frameRate: video.frameRate, audioChannels: audio?.channels ?? 0, ...video.marks };
}

/** Task `planTakes`. */
export async function planTakes(input: TaskInput<'planTakes'>) {
  const { timeline, edit, warnings } = await takesPlanOf(input);
  const { takes, music } = input;
  const graded = timeline.takes.find(({ grade }) => grade !== null)?.grade ?? null;
  return {
    timeline,
    cube: graded === null ? null : await cubeTextOf(graded),
    warnings,
    takeMedia: takes.map(({ facts }) => takeMediaOf(facts)),
    edit,
    musicChannels: music?.facts.channels ?? 0,
  };
}

/** The timeline and the result of an edit. What depends on measurements alone is found once for the same objects. */
export async function takesPlanOf({ takes, music, template, captions, ...input }: TaskInput<'planTakes'>) {
  const { planManyTakes } = await import('../../style/plan/edit.ts');
  const { faceMetrics: metricsOf } = await import('../../render/captions/caption-fonts.ts');
  return planManyTakes({
    ...input,
    takes,
    music:
      music === null
        ? null
        : { audio: music.facts, templateStartSeconds: await templateStartOnce(music, template) },
    template: template?.facts ?? null,
    metricsOf,
    ...(captions === undefined ? {} : { captions: await captionsOfTakes(takes, captions) }),
  });
}

function captionsOfTakes(
  takes: TaskInput<'planTakes'>['takes'],
  captions: readonly PlanInput['captions'][],
): Promise<(SourceCaptions | null)[]> {
  const read = captions.map(async (one, take) =>
    one === null ? null : readCaptions(one, takes[take]!.facts.video.mpegStartSeconds ?? null),
  );
  return Promise.all(read);
}

const startsIn = oncePer((_music: AudioResult) =>
  oncePer((_template: object): { start?: Promise<number | null> } => ({})),
);

/** Like `templateStartIn`, whose comparison takes a tenth of a second. */
function templateStartOnce(music: AudioResult, template: TaskInput<'planTakes'>['template']) {
  if (template === null) return null;
  const known = startsIn(music)(template);
  known.start ??= templateStartIn(music, template);
  return known.start;
}

/** Start of the template in the song; null: it has another song, or the match is uncertain. */
async function templateStartIn(
  music: AudioResult,
  template: TaskInput<'planTakes'>['template'],
): Promise<number | null> {
  const audio = template?.facts.audio ?? null;
  if (audio === null || template!.fingerprint === null || music.fingerprint === null) return null;
  const { matchSoundtracks } = await import('../../analysis/soundtrack/match.ts');
  const tracesOf = ({ facts, fingerprint }: { facts: AudioFacts; fingerprint: string }) => ({
    fingerprint,
    onsets: facts.onsets,
    durationSeconds: facts.durationSeconds,
  });
  const match = matchSoundtracks(
    tracesOf({ facts: audio, fingerprint: template!.fingerprint }),
    tracesOf({ facts: music.facts, fingerprint: music.fingerprint }),
  );
  const isSame = match?.precise === true && match.confidence >= SAME_SONG_CONFIDENCE;
  return isSame ? match.offsetSeconds : null;
}

async function cubeTextOf(grade: NonNullable<Take['grade']>): Promise<string> {
  const { writeCube } = await import('../../style/look/cube-file.ts');
  const { cubeOf } = await import('../../style/look/grade.ts');
  return writeCube(cubeOf(grade));
}

async function readCaptions(
  { origin, path }: NonNullable<PlanInput['captions']>,
  mpegStartSeconds: number | null,
): Promise<SourceCaptions> {
  const { faceMetrics: metricsOf } = await import('../../render/captions/caption-fonts.ts');
  const read = { origin, signCount: 0, isTelemetry: false, guessedEncoding: null, metricsOf };
  if (origin === 'file') {
    const { cuesAt, parseCaptionFile } = await import('../../style/captions/file.ts');
    const file = parseCaptionFile(await readFile(path));
    const { signCount, isTelemetry, encoding, isEncodingGuessed } = file;
    const guessedEncoding = isEncodingGuessed ? encoding : null;
    return { ...read, cues: cuesAt(file, mpegStartSeconds), signCount, isTelemetry, guessedEncoding };
  }
  if (origin === 'speech') {
    const { captionsOfWords } = await import('../../style/captions/sentences.ts');
    const { words, omitted }: Transcript = JSON.parse(await readFile(path, 'utf8'));
    return { ...read, cues: captionsOfWords(words), omitted };
  }
  return { ...read, ...(await readTextTrack(path)) };
}

/** The first text track that has words. */
async function readTextTrack(
  path: string,
): Promise<Pick<SourceCaptions, 'cues' | 'signCount' | 'isTelemetry'>> {
  const { textTracks } = await import('../../media/read/text-track.ts');
  const { plainText } = await import('../../style/captions/markup.ts');
  const { withoutSigns } = await import('../../style/captions/signs.ts');
  const { isTelemetry } = await import('../../style/captions/telemetry.ts');
  let hasTelemetry = false;
  for await (const { markup, name, cues: stored } of textTracks(path)) {
    if (isTelemetry(stored, name)) {
      hasTelemetry = true;
      continue;
    }
    const { dialogue, signCount } = withoutSigns(stored);
    const cues = dialogue.map((cue) => ({ ...cue, text: plainText(cue.text, markup) }));
    return { cues: cues.filter(({ text }) => text !== ''), signCount, isTelemetry: hasTelemetry };
  }
  return { cues: [], signCount: 0, isTelemetry: hasTelemetry };
}
