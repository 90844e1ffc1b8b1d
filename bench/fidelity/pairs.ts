/** Pairs of source and template of all kinds, chosen before anything was measured. */
import type { Box } from '../../src/analysis/facts.ts';

export interface Pair {
  readonly source: string;
  readonly template: string;
  /** Not looked at while the grade was made. */
  readonly heldBack?: true;
}

/** A clip as a camera's logarithmic profile would have filmed it: `made-clips.ts`. */
export const FLAT = 'flat:';
/** Between a clip and the music that it is set to. */
export const MUSIC = '+';

/** Before a clip of `bench/unseen.ts`, by its path in that folder. */
export const UNSEEN = 'unseen:';

export const PAIRS: readonly Pair[] = [
  { source: 'video/sam2_dog.mp4', template: 'edits/edit_landscape_a.mp4' },
  { source: 'video/sam2_dog.mp4', template: 'video/mdn_friday_speech.mp4' },
  { source: 'video/intel_asl_book.mkv', template: 'video/nasa_webb_13s.mp4' },
  { source: 'video/intel_asl_book.mkv', template: 'video/cartoon_surf_8s.mp4' },
  { source: 'video/rotated270_h264.mp4', template: 'edits/edit_vertical_a.mp4' },
  { source: 'video/mdn_friday_speech.mp4', template: 'video/mdn_flower.mp4' },
  { source: 'video/mdn_crystal.mp4', template: 'video/bbb_opening_30s_vp8.webm' },
  { source: 'video/mdn_flower.mp4', template: 'video/nasa_webb_13s.mp4' },
  { source: 'video/mdn_frog.mp4', template: 'video/sam2_dog.mp4' },
  { source: 'video/mdn_pig.mp4', template: 'video/cartoon_cake_8s.mp4' },
  { source: 'video/mdn_rabbit_vp8.webm', template: 'edits/edit_landscape_a.mp4' },
  { source: 'video/roof_zoom_17s.mp4', template: 'video/mdn_crystal.mp4' },
  { source: 'video/vertical_hdr10_av1.mp4', template: 'video/bbb_2_cuts_timecode.mp4' },
  { source: 'video/cartoon_surf_8s.mp4', template: 'video/intel_asl_book.mkv' },
  { source: 'video/bbb_opening_30s_vp8.webm', template: 'edits/edit_vertical_a.mp4' },
  { source: 'video/nasa_webb_13s.mp4', template: 'video/mdn_frog.mp4' },
  { source: 'video/roof_zoom_17s.mp4', template: 'edits/edit_landscape_a.mp4' },
  { source: 'video/sam2_dog.mp4', template: 'edits/edit_vertical_a.mp4' },
  { source: `${FLAT}video/sam2_dog.mp4`, template: 'edits/edit_landscape_a.mp4' },
  { source: `${FLAT}video/intel_asl_book.mkv`, template: 'video/mdn_flower.mp4' },
  { source: 'video/sam2_dog.mp4', template: 'video/cartoon_cake_8s.mp4', heldBack: true },
  { source: 'video/intel_asl_book.mkv', template: 'edits/edit_vertical_a.mp4', heldBack: true },
  { source: 'video/rotated270_h264.mp4', template: 'video/mdn_crystal.mp4', heldBack: true },
  { source: 'video/mdn_flower.mp4', template: 'edits/edit_landscape_a.mp4', heldBack: true },
  { source: 'video/mdn_pig.mp4', template: 'video/mdn_friday_speech.mp4', heldBack: true },
  { source: 'video/cartoon_cake_8s.mp4', template: 'video/roof_zoom_17s.mp4', heldBack: true },
  { source: 'video/mdn_crystal.mp4', template: 'video/sam2_dog.mp4', heldBack: true },
  { source: `${FLAT}video/rotated270_h264.mp4`, template: 'video/bbb_opening_30s_vp8.webm', heldBack: true },
];

/** Sources with a beat, for edit and sound. */
export const MUSIC_PAIRS: readonly Pair[] = [
  {
    source: `video/sam2_dog.mp4${MUSIC}music/loop_garzul_x3_120bpm.flac`,
    template: 'edits/edit_landscape_a.mp4',
  },
  {
    source: `video/mdn_crystal.mp4${MUSIC}music/feelings_95bpm_60s.ogg`,
    template: 'edits/edit_vertical_a.mp4',
  },
  {
    source: `video/roof_zoom_17s.mp4${MUSIC}music/808kick_120bpm.mp3`,
    template: 'video/bbb_opening_30s_vp8.webm',
  },
  { source: `video/mdn_frog.mp4${MUSIC}music/viper_cc0.mp3`, template: 'edits/edit_landscape_a.mp4' },
];

/** For sound alone: music, speech, films; at least one of each as source and as template. */
export const AUDIO_PAIRS: readonly Pair[] = [
  { source: 'music/feelings_95bpm_60s.ogg', template: 'music/chaos_god_170bpm_60s.ogg' },
  { source: 'music/chaos_god_170bpm_60s.ogg', template: 'music/feelings_95bpm_60s.ogg' },
  { source: 'music/viper_cc0.mp3', template: 'music/loop_garzul_x3_120bpm.flac' },
  { source: 'music/loop_garzul_x3_120bpm.flac', template: 'video/bbb_opening_30s_vp8.webm' },
  { source: 'music/loop_amen_full_x4_140bpm.flac', template: 'music/viper_cc0.mp3' },
  { source: 'music/loop_compus_x4_148bpm.flac', template: 'edits/edit_landscape_a.mp4' },
  { source: 'video/mdn_friday_speech.mp4', template: 'video/greenscreen_speech.mp4' },
  { source: 'video/greenscreen_speech.mp4', template: 'video/mdn_friday_speech.mp4' },
  { source: 'video/greenscreen_speech.mp4', template: 'music/feelings_95bpm_60s.ogg' },
  { source: 'video/bbb_opening_30s_vp8.webm', template: 'video/cartoon_cake_8s.mp4' },
  { source: 'video/bbb_0_23s_timecode.mp4', template: 'edits/edit_vertical_a.mp4' },
  { source: 'video/cartoon_surf_8s.mp4', template: 'music/feelings_95bpm_60s.ogg' },
  { source: 'video/nasa_webb_13s.mp4', template: 'edits/edit_landscape_a.mp4' },
  { source: 'video/mdn_crystal.mp4', template: 'edits/edit_vertical_a.mp4' },
];

/** The same with clips of `bench/unseen.ts`: speech and music in both roles; those held back were not tuned on. */
export const UNSEEN_AUDIO_PAIRS: readonly Pair[] = [
  { source: 'video/mdn_friday_speech.mp4', template: `${UNSEEN}tuning/series_trailer_30s.mp4` },
  { source: `${UNSEEN}tuning/series_trailer_30s.mp4`, template: `${UNSEEN}tuning/ad_doordash_10s.mp4` },
  { source: `${UNSEEN}tuning/ad_tillamook2_10s.mp4`, template: `${UNSEEN}tuning/pop_fresh_120bpm.ogg` },
  { source: `${UNSEEN}tuning/ad_macbook_10s.mp4`, template: 'music/viper_cc0.mp3' },
  { source: `${UNSEEN}tuning/short_film_teaser_19s.mp4`, template: `${UNSEEN}tuning/mobile_game_ad_15s.mp4` },
  {
    source: `${UNSEEN}tuning/rock_chaosland_135bpm.ogg`,
    template: `${UNSEEN}tuning/short_film_teaser_19s.mp4`,
  },
  { source: `${UNSEEN}tuning/game_trailer_swamp_30s.mp4`, template: `${UNSEEN}tuning/pop_high_125bpm.ogg` },
  { source: `${UNSEEN}tuning/ad_door1_10s.mp4`, template: 'video/mdn_friday_speech.mp4' },
  {
    source: `${UNSEEN}reporting/vlog_jump_cuts_50s.mp4`,
    template: `${UNSEEN}reporting/pop_bopeebo_100bpm.ogg`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/speech_jfk_11s.flac`,
    template: `${UNSEEN}reporting/film_trailer_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/vlog_jump_cuts_50s.mp4`,
    template: `${UNSEEN}reporting/car_commercial_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/drama_trailer_29s.mp4`,
    template: `${UNSEEN}reporting/shooter_montage_22s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/sintel_excerpt_26s.mp4`,
    template: `${UNSEEN}reporting/pop_satin_110bpm.ogg`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/car_commercial_30s.mp4`,
    template: `${UNSEEN}reporting/vlog_jump_cuts_50s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/pop_eggnog_150bpm.ogg`,
    template: `${UNSEEN}reporting/period_teaser_21s.mp4`,
    heldBack: true,
  },
  {
    source: 'more/music/armygeddon_170bpm_60s.ogg',
    template: `${UNSEEN}reporting/film_trailer_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/horror_game_27s.mp4`,
    template: `${UNSEEN}reporting/chiptune_roses_120bpm.ogg`,
    heldBack: true,
  },
];

/** Of clips that were added after the sound plan was finished: chosen by their sound, measured once, and never used for tuning. */
export const FRESH_AUDIO_PAIRS: readonly Pair[] = [
  {
    source: `${UNSEEN}reporting/statement_30s.mp4`,
    template: `${UNSEEN}reporting/restaurant_song_30s.m4a`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/podcast_video_30s.mp4`,
    template: `${UNSEEN}reporting/food_ad_17s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/podcast_topcast_30s.m4a`,
    template: `${UNSEEN}reporting/guitar_solo_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/restaurant_song_30s.m4a`,
    template: `${UNSEEN}reporting/quiz_interview_25s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/guitar_solo_30s.mp4`,
    template: `${UNSEEN}reporting/podcast_video_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/cartoon_bullying_30s.mp4`,
    template: `${UNSEEN}reporting/ad_ford_10s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/ad_ford_10s.mp4`,
    template: `${UNSEEN}reporting/statement_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/quiz_interview_25s.mp4`,
    template: `${UNSEEN}reporting/podcast_topcast_30s.m4a`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/food_ad_17s.mp4`,
    template: `${UNSEEN}reporting/cartoon_bullying_30s.mp4`,
    heldBack: true,
  },
  {
    source: `${UNSEEN}reporting/ad_coke_10s.mp4`,
    template: `${UNSEEN}reporting/restaurant_song_30s.m4a`,
    heldBack: true,
  },
];

/** Where people's skin is to be seen throughout a clip: looked up by eye. */
export const FACES: Readonly<Record<string, Box>> = {
  'video/sam2_dog.mp4': { x: 0.17, y: 0.17, width: 0.17, height: 0.35 },
  'video/intel_asl_book.mkv': { x: 0.41, y: 0.19, width: 0.14, height: 0.33 },
  'video/rotated270_h264.mp4': { x: 0.05, y: 0.02, width: 0.45, height: 0.6 },
};

/** The clip that shows what the source shows. */
export function originalOf(source: string): string {
  return source.replace(FLAT, '').split(MUSIC)[0];
}
