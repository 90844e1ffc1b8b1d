import type { AudioFacts } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';
import {
  isSilentStyle,
  loudestLufs,
  loudnessOnly,
  maxLoudness,
  planAudio,
  quietestLufs,
} from '../audio/audio.ts';
import type { Style } from '../model/schema.ts';
import type { Timeline } from '../model/timeline.ts';

/** A smaller difference in loudness is not heard. */
const HEARD_LU = 1;

/** Mastering of the sound; null: there is none. Strength 0 leaves it unchanged. */
export function audioOf(
  audio: AudioFacts | null,
  style: Style | null,
  strength: number,
  warnings: Warning[],
): Timeline['audio'] {
  if (audio === null) return null;
  if (strength === 0) return { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };
  const plan = style === null ? loudnessOnly(audio) : planAudio(audio, style, strength);
  // Silence has no loudness to limit.
  if (plan.targetLufs === null) return plan;
  if (plan.targetLufs === maxLoudness(audio)) {
    warnings.push({
      code: 'LOUDNESS_LIMITED',
      message: `The loudness was limited to ${plan.targetLufs} LUFS, because the source's sound is quiet background and more would only amplify noise.`,
    });
  } else if (style !== null && isSilentStyle(style)) {
    warnings.push({
      code: 'AUDIO_STYLE_SILENT',
      message: `The sound style was not applied, because at ${style.audio_style!.normalization_level} LUFS it is nearly silent. The output has the source's sound at ${plan.targetLufs} LUFS.`,
    });
  } else if (isQuieter(style, audio, strength)) {
    warnings.push({
      code: 'LOUDNESS_LIMITED',
      message: `The loudness was limited to ${plan.targetLufs} LUFS, because the style's ${style!.audio_style!.normalization_level} LUFS would be too quiet between other videos. Set components.audio to 1 for the style's own.`,
    });
  } else if (isLouder(style, audio, strength)) {
    warnings.push({
      code: 'LOUDNESS_LIMITED',
      message: `The loudness was limited to ${plan.targetLufs} LUFS, because the style's ${style!.audio_style!.normalization_level} LUFS would be too loud for the source's ${audio.loudness.integratedLufs?.toFixed(1)} LUFS. Set components.audio to 1 for the style's own.`,
    });
  }
  return plan;
}

/** Whether a style's own loudness is audibly below the least for the source. */
function isQuieter(style: Style | null, audio: AudioFacts, strength: number): boolean {
  return (style?.audio_style?.normalization_level ?? 0) < quietestLufs(audio, strength) - HEARD_LU;
}

/** Whether a style's own loudness is audibly above the most for a calm source. Speech keeps its limit at any strength. */
function isLouder(style: Style | null, audio: AudioFacts, strength: number): boolean {
  const wanted = style?.audio_style?.normalization_level ?? Number.NEGATIVE_INFINITY;
  const most = loudestLufs(audio, strength);
  return most < loudestLufs(audio, 1) && wanted > most + HEARD_LU;
}
