/** Takes and templates of the judges of edits. */
import { MEDIA } from '../lib/long-clip.ts';
import type { MadeReel } from './reels.ts';

const clips = (...names: string[]) => names.map((name) => `${MEDIA}${name}`);
export const TAKES = clips(
  ...['video/sam2_dog.mp4', 'more/video/sam2_cups.mp4', 'video/mdn_crystal.mp4', 'video/roof_zoom_17s.mp4'],
  ...['more/video/intel_people_139s.mp4', 'video/mdn_frog.mp4', 'more/video/street_fire_10s.mp4'],
);
export const TEMPLATES = clips(
  ...['edits/edit_landscape_a.mp4', 'edits/edit_vertical_a.mp4', 'more/video/bunny_summary_26s.mp4'],
  'more/video/umapyoi_game_trailer_29s.mp4',
);
/** None of the takes. */
export const SHOTS = clips(
  ...['video/mdn_flower.mp4', 'video/mdn_rabbit_vp8.webm', 'video/mdn_pig.mp4', 'video/intel_asl_book.mkv'],
  ...['more/video/mdn_monster.mp4', 'video/mdn_friday_speech.mp4', 'video/vertical_hdr10_av1.mp4'],
);
export const REELS: readonly MadeReel[] = [
  { name: 'fast', song: 'loop_amen_full_x4_140bpm.flac', beatsPerMinute: 140, beats: [1, 1, 2, 1], seed: 1 },
  { name: 'swung', song: 'loop_garzul_x3_120bpm.flac', beatsPerMinute: 120, beats: [6, 1, 1], seed: 2 },
  { name: 'slow', song: 'loop_compus_x4_148bpm.flac', beatsPerMinute: 148, beats: [8, 12, 8], seed: 3 },
  { name: 'even', song: 'loop_breakbeat_x10_126bpm.flac', beatsPerMinute: 126, beats: [4, 4, 4, 2], seed: 4 },
];
