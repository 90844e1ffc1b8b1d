import type { TextCue } from '../domain/footage.ts';

/** Marks of non-speech always: `[MUSIC PLAYING]`, `[BLANK_AUDIO]`, `【音楽】`, `<noise>`, `<|nospeech|>`. */
const ALWAYS = /\[[^[\]]{0,120}\]|【[^【】]{0,60}】|［[^［］]{0,60}］|<\|?[\p{L}_][^<>]{0,60}>/gu;
/** Marks if they name a sound, or are shouted: `(upbeat music)`, `*sighs*`, `（拍手）`, `♪ piano music ♪`, `(APPLAUSE)`. Else they are spoken. */
const IF_SOUND =
  /\(([^()]{1,80})\)|（([^（）]{1,40})）|\*([^*\s][^*]{0,80})\*|[♪♫]\s*([^♪♫]{1,80}?)\s*[♪♫]/gu;
const NOTES = /[♪♫♬🎵🎶]/gu;
const SHOUTED = /^(?=.*\p{Lu}{3})[^\p{Ll}]*\s[^\p{Ll}]*$/u;
/** Persons are in no name of a sound: "(I love that music)" is spoken. */
const PERSONAL = /\b(?:i|you|we|my|your|our|me|us|it|that)\b/iu;
/** Names of sounds in the languages that models were trained on most. */
const SOUNDS = new RegExp(
  [
    String.raw`\b(?:music|musik|musique|m[uú]sica|muziek|instrumental|melod|sing(?:s|ing)\b|humm?(?:s|ing)\b|applau|aplauso|clap(?:s|ping)\b)`,
    String.raw`\b(?:cheer(?:s|ing)\b|laugh|lach(?:en|t)\b|gelächter|risas?\b|rires?\b|giggl|chuckl|snicker|cough|husten|sneez|sniff|sigh|seufz)`,
    String.raw`\b(?:gasp|groan|moan|grunt|yawn|sob(?:s|bing)\b|cry(?:ing)\b|cries\b|scream|shout(?:s|ing)\b|yell(?:s|ing)\b|whisper(?:s|ing)\b)`,
    String.raw`\b(?:mumbl|mutter(?:s|ing)\b|whistl|burp|hiccup|exhal|inhal|breath(?:s|es|ing)\b|clears? (?:his |her |their )?throat|silen[ct]|stille\b)`,
    String.raw`\b(?:nois[ey]|geräusch|ruidos?\b|bruits?\b|static\b|inaudible|unintelligible|indistinct|unverständlich|crosstalk|no (?:audio|speech)\b)`,
    String.raw`\b(?:footsteps?|knock(?:s|ing)\b|creak|bang(?:s|ing)\b|crash(?:es|ing)\b|thud|click(?:s|ing)\b|beep|buzz|ring(?:s|ing)\b|chim(?:es|ing)\b)`,
    String.raw`\b(?:siren|honk|engine (?:rev|start)|revv|rumbl|gunshot|gunfire|explo(?:sion|des|ding)|thunder|blow(?:s|ing)\b|splash|chirp|bark(?:s|ing)\b)`,
    String.raw`\b(?:meow|growl|roar(?:s|ing)\b|crackl|rustl|whir|hiss|squeak|squeal|screech|slam(?:s|ming)\b|typing\b|chatter|babbl|audience\b|crowd\b)`,
    String.raw`\b(?:ding(?:s|ing)?\b|whoosh|swoosh|clatter|clank|clink|jingl|rattl|pant(?:s|ing)\b|snor(?:es|ing)\b|purr|howl|wail(?:s|ing)\b|patter)`,
    String.raw`\b(?:tap(?:s|ping)\b|pop(?:s|ping)\b|tick(?:s|ing)\b|sizzl|gurgl|drip(?:s|ping)\b|scratch(?:es|ing)\b|vocaliz|chant(?:s|ing)\b|drumroll)`,
    String.raw`\b(?:sounds\b|risat[ae]\b|risos?\b|palmas\b|soupir|toux\b|hustet\b|räusper)`,
    String.raw`\b(?:speak(?:s|ing)\b.*\b(?:language|spanish|french|german|japanese|chinese|russian)|foreign language|untertitel|subtitle)`,
    '[Мм]узык|[Аа]плодисмент|[Сс]ме(?:х|ётся|ется)|[Шш]ум|[Тт]ишина|音楽|音乐|音樂|拍手|掌声|掌聲|笑|歌|雑音|無音|沈黙|음악|박수|웃음|เพลง|ดนตรี',
  ].join('|'),
  'iu',
);

/** The words without marks of music and noise, which can extend over several words. */
export function withoutNoiseMarks(words: readonly TextCue[]): TextCue[] {
  const text = words.map((word) => word.text).join(' ');
  const ranges = [
    ...[...text.matchAll(ALWAYS)],
    ...[...text.matchAll(IF_SOUND)].filter((match) => {
      const inner = match.slice(1).find((group) => group !== undefined)!;
      return (SOUNDS.test(inner) || SHOUTED.test(inner)) && !PERSONAL.test(inner);
    }),
    ...[...text.matchAll(NOTES)],
  ].map((match): readonly [number, number] => [match.index, match.index + match[0].length]);
  if (ranges.length === 0) return [...words];
  const isMark = new Uint8Array(text.length);
  for (const [from, to] of ranges) isMark.fill(1, from, to);
  let at = 0;
  return words.flatMap((word) => {
    const from = at;
    at += word.text.length + 1;
    let kept = '';
    for (let index = 0; index < word.text.length; index++)
      if (isMark[from + index] === 0) kept += word.text[index];
    kept = kept.trim();
    // What remains of "[MUSIC]." is no word.
    return kept === '' || (kept !== word.text && !/[\p{L}\p{N}]/u.test(kept))
      ? []
      : [{ ...word, text: kept }];
  });
}
