import { avGetCodecName } from 'node-av/lib';
import type { Warning } from '../../stage.ts';
import type { Input } from '../av/input.ts';

/** More moments than this are counted, not listed. */
const MAX_LISTED = 5;

/** What of a file is played in another way than it is stored, or not at all. */
export function inputWarnings({ clock, startSeconds, audio, undecodableAudio }: Input): Warning[] {
  const warnings: Warning[] = [];
  const jumps = (clock?.jumpsSeconds ?? []).map((seconds) => Math.max(0, seconds - startSeconds));
  if (jumps.length > 0) {
    const listed = jumps.slice(0, MAX_LISTED).map((seconds) => seconds.toFixed(1));
    const more = jumps.length > MAX_LISTED ? ` and ${jumps.length - MAX_LISTED} times more` : '';
    warnings.push({
      code: 'CLOCK_JUMPS',
      message: `The file's clock jumps at ${listed.join(', ')} s${more}, as in joined recordings: its parts play one after the other, without gaps`,
    });
  }
  if (undecodableAudio.length > 0) {
    const codecs = undecodableAudio.map(({ codecpar }) => {
      const name = avGetCodecName(codecpar.codecId) ?? 'unknown';
      return name === 'none' ? 'unknown' : name;
    });
    const tracks = `${codecs.length === 1 ? 'A sound track' : `${codecs.length} sound tracks`} cannot be decoded (codec: ${codecs.join(', ')})`;
    warnings.push(
      audio === null
        ? {
            code: 'SOUND_NOT_DECODABLE',
            message: `${tracks}: the video is used without sound. To keep it, send the sound as AAC, MP3, Opus, Vorbis, FLAC, AC-3 or PCM`,
          }
        : { code: 'SOUND_TRACK_SKIPPED', message: `${tracks}: sound track ${audio.index} is used instead` },
    );
  }
  return warnings;
}
