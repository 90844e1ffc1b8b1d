/**
 * What the service's operations take and give. Made from its OpenAPI document by `npm run build:client`: do not edit.
 * Answers may have more fields than these, of a later version of the service.
 */

/** A reason as data. Ranks (`motion` to `lightness`) have `rank` and `wanted`, 0 to 1 */
export interface EditReason {
  code:
    | 'motion'
    | 'activity'
    | 'contrast'
    | 'detail'
    | 'lightness'
    | 'blurred'
    | 'shaken'
    | 'dark'
    | 'overexposed'
    | 'covered'
    | 'frozen'
    | 'swinging'
    | 'own_cut'
    | 'sideways'
    | 'pinned'
    | 'excluded'
    | 'banned'
    | 'no_slot'
    | 'used_in_slot'
    | 'shown_from_take'
    | 'impact_on_beat'
    | 'shot_size'
    | 'no_handles'
    | 'cut_instead'
    | 'speech'
    | 'hides_cut'
    | 'pause'
    | 'retake'
    | 'filler'
    | 'too_short_for_b_roll'
    | 'usable';
  values?: Record<string, number | string> | undefined;
}
export interface EditSlotChoice {
  video_id: string;
  /** In the take */
  source_start_seconds: number;
  source_end_seconds: number;
  /** Comparable within one slot */
  fit: number;
  /** Why, in words */
  reasons: string[];
  /** The same as codes with values. Left out in results of earlier versions */
  reason_codes?: EditReason[] | undefined;
}
/** A talk from several takes. */
export interface EditTalk {
  /** Of all takes that speak */
  removed_seconds: number;
  /** In which B-roll is seen */
  b_roll_seconds: number;
  /** Of the output */
  b_roll_share: number;
}
export interface EditSlot {
  /** In the output */
  start_seconds: number;
  end_seconds: number;
  /** Number of the song’s beat at its start; null: off the beat */
  beat: number | null;
  on_beat: boolean;
  video_id: string;
  /** In the take */
  source_start_seconds: number;
  source_end_seconds: number;
  /** Comparable within one slot */
  fit: number;
  /** Why, in words */
  reasons: string[];
  /** The same as codes with values. Left out in results of earlier versions */
  reason_codes?: EditReason[] | undefined;
  /** Null: a cut */
  transition_in: {
    type:
      | 'cut'
      | 'dissolve'
      | 'fade_black'
      | 'fade_white'
      | 'fade_color'
      | 'wipe'
      | 'slide'
      | 'circle'
      | 'zoom';
    duration_seconds: number;
    direction?: 'left' | 'right' | 'up' | 'down' | undefined;
  } | null;
  /** Slot of the template that it follows */
  template_slot: number;
  pinned: boolean;
  /** Beats by which `lengths` made it longer, or shorter if negative */
  beats_changed?: number | undefined;
  /** Point that its pin keeps in view; null: chosen */
  focus?:
    | {
        x: number;
        y: number;
      }
    | null
    | undefined;
  /** Other choices for the slot: a pin takes one */
  alternatives: EditSlotChoice[];
  /** Of a talk: a speaker is seen, or B-roll over the talk. Left out: the edit is no talk */
  role?: 'talk' | 'b_roll' | undefined;
}
/** The part of the song that an edit plays, in times of the output. */
export interface EditMusic {
  beats: {
    at_seconds: number;
    /** First of a bar */
    is_downbeat: boolean;
    /** First of a phrase, mostly of four or eight bars */
    is_phrase_start: boolean;
  }[];
  sections: {
    start_seconds: number;
    end_seconds: number;
    /** Relative to the loudest section of the song */
    energy: number;
  }[];
}
export interface EditTake {
  video_id: string;
  used: [number, number][];
  passed_over: {
    /** `[from, to]` in seconds of the take */
    range: [number, number];
    reason: string;
    /** The same as code. Left out in results of earlier versions */
    reason_code?: EditReason | undefined;
  }[];
  /** In a talk; left out: the edit is no talk */
  role?: 'talk' | 'b_roll' | undefined;
  /** Of a take that speaks in a talk: the sum of `passed_over` */
  removed_seconds?: number | undefined;
  /** Why the file cannot be used; present only if it cannot */
  left_out?: string | undefined;
}
/** The plan of an edit, slot by slot. */
export interface EditResult {
  duration_seconds: number;
  /** Where the song begins; null: there is none */
  music_start_seconds: number | null;
  /** Beats and sections of the song; null: there is none. Left out in results of earlier versions */
  music?: EditMusic | null | undefined;
  slots: EditSlot[];
  takes: EditTake[];
  /** Left out: the edit is no talk */
  talk?: EditTalk | undefined;
  /** The job that this one changes; null: none */
  revises: string | null;
}
export interface EditMoment {
  /** In the output */
  at_seconds: number;
  kind: 'punch_in' | 'punch_out' | 'transition' | 'left_out' | 'push_in' | 'follow' | 'steady' | 'captions';
  /** In words, such as "punch-in 1.16× on the beat" */
  text: string;
  /** Where the same picture is in the source */
  source_seconds: number;
}
export interface TalkRemoval {
  /** In the source */
  start_seconds: number;
  end_seconds: number;
  /** In the output */
  at_seconds: number;
  /** `pause`: was longer than the style's; `retake`: is said again right after it; `filler`: a word such as "um" between pauses; `requested`: in `talk.remove` */
  reason: 'pause' | 'retake' | 'filler' | 'requested';
  certainty: number;
}
/** Changes, from the plan and the verified output. */
export interface EditSummary {
  /** All of it in one line of words */
  text: string;
  source: {
    width: number;
    height: number;
    frame_rate: number;
    duration_seconds: number;
  };
  output: {
    width: number;
    height: number;
    frame_rate: number;
    duration_seconds: number;
  };
  cuts: {
    /** Hard cuts that the source has already */
    of_source: number;
    /** Cuts between framings, and over omitted parts */
    added: number;
    /** Of all hard cuts of the output, within 70 ms of a beat; null: no beats, or no cuts */
    on_beat_share: number | null;
  };
  punch_ins: {
    count: number;
    /** Null: there are no beats */
    on_beat: number | null;
    /** Null: there are none */
    median_zoom: number | null;
  };
  /** Shots with a slow push-in */
  push_ins: number;
  /** Those that were made, by type */
  transitions: Partial<
    Record<
      'dissolve' | 'fade_black' | 'fade_white' | 'fade_color' | 'wipe' | 'slide' | 'circle' | 'zoom',
      number
    >
  >;
  framing: {
    manner: 'kept' | 'crop' | 'pad';
    aspect_ratio: string;
    /** Null: framings do not move */
    follows: 'speaker' | 'face' | 'subject' | null;
  };
  stabilised_seconds: number;
  left_out_seconds: number;
  /** What was left out of a talk, and what could be. Left out: nothing */
  talk?:
    | {
        removed_seconds: number;
        /** Null: there are no pauses */
        median_pause_seconds: {
          before: number;
          after: number;
        } | null;
        /** In the order of the source */
        removals: TalkRemoval[];
        /** Likely second attempts, which stay; `talk.remove` leaves one out. Left out: none */
        proposals?: TalkRemoval[] | undefined;
        /** How far the voice rises above its background, to draw. Left out: not measured */
        curve?:
          | {
              /** In the source */
              start_seconds: number;
              step_seconds: number;
              percents: number[];
            }
          | undefined;
      }
    | undefined;
  captions: number;
  /** Integrated, ITU-R BS.1770-4; null: no sound */
  loudness: {
    before_lufs: number | null;
    after_lufs: number | null;
    change_lu: number | null;
  } | null;
  /** Null: colors stay as they are */
  color_strength: number | null;
  /** Components at `auto` that were left as the source has them, because following the style would do harm; `true` follows it. Left out: none */
  not_followed?:
    | {
        component: 'aspect_ratio' | 'frame_rate';
        /** As the output has it, such as "9:16" or "24" */
        source: string;
        /** As the style has it */
        style: string;
      }[]
    | undefined;
  /** In the order of the output */
  entries: EditMoment[];
}
export interface FieldError {
  path: string;
  message: string;
  /** For programs, where one field can be wrong in several ways */
  code?:
    | 'SLOT_MISSING'
    | 'SLOT_TOO_SHORT'
    | 'SLOT_TOO_LONG'
    | 'SLOT_EMPTY'
    | 'MUSIC_TOO_SHORT'
    | 'PINNED_TAKE_TOO_SHORT'
    | 'NOTHING_USABLE'
    | 'NOBODY_SPEAKS'
    | 'FILE_TOO_SHORT'
    | 'FILE_TOO_LONG'
    | undefined;
  /** The numbers of the message, by name */
  values?: Record<string, number> | undefined;
}
export interface JobError {
  code:
    | 'INPUT_CORRUPT'
    | 'INPUT_UNSUPPORTED'
    | 'INPUT_LIMIT_EXCEEDED'
    | 'IMPORT_FAILED'
    | 'EDIT_IMPOSSIBLE'
    | 'TRANSCRIPTION_UNAVAILABLE'
    | 'TRANSCRIPTION_FAILED'
    | 'STAGE_TIMEOUT'
    | 'WORKER_LOST'
    | 'OUT_OF_MEMORY'
    | 'INSUFFICIENT_STORAGE'
    | 'ENCODER_FAILED'
    | 'OUTPUT_VERIFY_FAILED'
    | 'STORAGE_UNAVAILABLE'
    | 'INTERNAL_ERROR';
  message: string;
  detail: string;
  stage:
    | 'video_analysis'
    | 'audio_analysis'
    | 'motion_analysis'
    | 'style_extraction'
    | 'style_application'
    | 'rendering'
    | null;
  attempt: number;
  retryable: boolean;
  /** With EDIT_IMPOSSIBLE: every field that is wrong */
  fields?: FieldError[] | undefined;
  /** RFC 3339, UTC, with milliseconds */
  occurred_at: string;
}
export interface StyleJSON {
  version: string;
  aspect_ratio: string;
  frame_rate: number;
  cut_frequency: number;
  motion_intensity: number;
  zoom_usage: number;
  use_subtitles: boolean;
  tempo_bpm?: number | undefined;
  music_genre?:
    | 'electronic'
    | 'hip_hop'
    | 'rock'
    | 'pop'
    | 'classical'
    | 'acoustic'
    | 'ambient'
    | 'speech'
    | 'silence'
    | 'unknown'
    | undefined;
  created_at: string;
  source_duration_seconds: number;
  extraction_confidence: number;
  color_grade: {
    temperature: number;
    tint: number;
    saturation: number;
    contrast: number;
    highlights: number;
    shadows: number;
  };
  audio_style?:
    | {
        normalization_level: number;
        compression_ratio: number;
        bass_boost: number;
        enhance_speech: boolean;
      }
    | undefined;
  primary_transition?:
    | {
        type:
          | 'cut'
          | 'dissolve'
          | 'fade_black'
          | 'fade_white'
          | 'fade_color'
          | 'wipe'
          | 'slide'
          | 'circle'
          | 'zoom';
        duration_ms: number;
        easing: 'linear' | 'ease_in' | 'ease_out' | 'ease_in_out';
      }
    | undefined;
  detected_beats?:
    | {
        timestamp_ms: number;
        confidence: number;
        frequency: 'low' | 'mid' | 'high' | 'full';
      }[]
    | undefined;
  source_kind?: 'video' | 'image' | 'audio' | undefined;
  confidence?:
    | {
        color?: number | undefined;
        pacing?: number | undefined;
        transitions?: number | undefined;
        motion?: number | undefined;
        audio?: number | undefined;
        subtitles?: number | undefined;
      }
    | undefined;
  look?:
    | {
        greys: {
          in: number;
          out: number;
          a: number;
          b: number;
        }[];
        chroma: number;
        confidence?: number | undefined;
      }
    | undefined;
  palette?:
    | {
        hex: string;
        weight: number;
      }[]
    | undefined;
  shot_lengths?:
    | {
        p10: number;
        p25: number;
        p50: number;
        p75: number;
        p90: number;
        mean: number;
      }
    | undefined;
  cuts_on_beat?: number | undefined;
  transition_mix?:
    | Partial<
        Record<
          | 'cut'
          | 'dissolve'
          | 'fade_black'
          | 'fade_white'
          | 'fade_color'
          | 'wipe'
          | 'slide'
          | 'circle'
          | 'zoom',
          number
        >
      >
    | undefined;
  transition_color?: string | undefined;
  camera_shake?: number | undefined;
  loudness_range_lu?: number | undefined;
  true_peak_dbtp?: number | undefined;
  tempo_alternatives?:
    | {
        bpm: number;
        confidence: number;
      }[]
    | undefined;
  subtitle_style?:
    | {
        position: 'top' | 'middle' | 'bottom';
        line_height: number;
        color: string;
        outlined: boolean;
        boxed?: boolean | undefined;
        stroke_width?: number | undefined;
        anchor_y?: number | undefined;
        timing?: 'lines' | 'words' | undefined;
      }
    | undefined;
  title_style?:
    | {
        position: 'top' | 'middle' | 'bottom';
        line_height: number;
        color: string;
        outlined: boolean;
        stroke_width?: number | undefined;
        anchor_y?: number | undefined;
        box?:
          | {
              color: string;
              opacity: number;
              confidence: number;
            }
          | undefined;
        animation_in?:
          | {
              type: 'cut' | 'fade' | 'slide' | 'pop';
              duration_ms: number;
              side?: 'left' | 'right' | 'top' | 'bottom' | undefined;
              distance?: number | undefined;
              confidence: number;
            }
          | undefined;
        animation_out?:
          | {
              type: 'cut' | 'fade' | 'slide' | 'pop';
              duration_ms: number;
              side?: 'left' | 'right' | 'top' | 'bottom' | undefined;
              distance?: number | undefined;
              confidence: number;
            }
          | undefined;
      }
    | undefined;
  fingerprint?: string | undefined;
  color_statistics?:
    | {
        lightness_percentiles: number[];
        mean_ab: [number, number];
        covariance_ab: [number, number, number];
        tones_ab?: [[number, number] | null, [number, number] | null, [number, number] | null] | undefined;
        neutral_ab?: [number, number] | undefined;
      }
    | undefined;
  spectrum?:
    | {
        centres_hz: number[];
        levels_db: number[];
      }
    | undefined;
  talk?:
    | {
        pauses: {
          p10: number;
          p25: number;
          p50: number;
          p75: number;
          p90: number;
          longest?: number | undefined;
        };
        pauses_per_minute: number;
        confidence: number;
      }
    | undefined;
  edit?:
    | {
        slots: {
          length_seconds: number;
          length_beats?: number | undefined;
          phase?: number | undefined;
          motion_rank?: number | undefined;
          activity_rank?: number | undefined;
          contrast_rank?: number | undefined;
          detail_rank?: number | undefined;
          lightness_rank?: number | undefined;
          motion?: number | undefined;
          activity?: number | undefined;
          contrast?: number | undefined;
          detail?: number | undefined;
          lightness?: number | undefined;
          size?: 'close' | 'medium' | 'wide' | undefined;
          size_confidence?: number | undefined;
          move?: 'static' | 'pan' | 'tilt' | 'zoom_in' | 'zoom_out' | 'handheld' | undefined;
          speaks?: boolean | undefined;
          returns_to?: number | undefined;
          transition?:
            | {
                type:
                  | 'cut'
                  | 'dissolve'
                  | 'fade_black'
                  | 'fade_white'
                  | 'fade_color'
                  | 'wipe'
                  | 'slide'
                  | 'circle'
                  | 'zoom';
                duration_ms: number;
                easing: 'linear' | 'ease_in' | 'ease_out' | 'ease_in_out';
                direction?: 'left' | 'right' | 'up' | 'down' | undefined;
              }
            | undefined;
        }[];
        on_beat_share?: number | undefined;
        cuts_per_bar?: [number, number, number] | undefined;
      }
    | undefined;
  consensus?:
    | {
        templates: {
          name: string;
          weight: number;
          outlier_in: string[];
        }[];
        agreement: Record<string, number>;
        spread: Record<
          string,
          {
            least: number;
            most: number;
          }
        >;
      }
    | undefined;
}
/** Many takes and photos, cut to a song in the rhythm of a template. */
export interface EditRequest {
  /** Takes after `video_id`, which is the first; naming it here sets its options. At most 50 in all. Default: `[]` */
  takes?:
    | {
        /** A video or a photo */
        video_id: string;
        /** Parts that are not shown, `[from, to]` in seconds. Default: `[]` */
        exclude?: [number, number][] | undefined;
        /** Whether at least one moment of it is shown. Default: `false` */
        must_use?: boolean | undefined;
        /** In a talk: `talk`: somebody speaks in it, and it is heard; `b_roll`: its picture hides cuts, without its sound; `auto` (default): `talk` if at least half of it is speech, with its pauses. A take with `talk` makes the edit a talk, as `config.talk: "on"` does */
        role?: 'auto' | 'talk' | 'b_roll' | undefined;
      }[]
    | undefined;
  /** The song that the edit is cut to; null: none. Default: `null` */
  music?:
    | {
        /** A song, or a video whose sound is used */
        video_id: string;
        /** Where the edit begins in it, at least 1 s before its end; null: chosen. Default: `null` */
        start_seconds?: number | null | undefined;
      }
    | null
    | undefined;
  /** `music`: the song alone, but in a talk as `mix`; `mix`: takes over the song, which is ducked under speech; `takes`: takes alone, as without a song. Default: `"music"` */
  sound?: 'music' | 'mix' | 'takes' | undefined;
  /** Length of the output: as the template, as the song, or in seconds. Shorter where there is too little material; `template` also where more would show the same again, or shots in which nothing happens. Default: `"template"` */
  duration?: 'template' | 'music' | number | undefined;
  /** `story`: takes in the listed order, each by its time; `free`: any order. Default: `"story"` */
  order?: 'story' | 'free' | undefined;
  /** `on_beat`: all cuts lie on beats of the song; `loose`: as near to beats as those of the template, and as many beside them. Default: `"on_beat"` */
  rhythm?: 'on_beat' | 'loose' | undefined;
  /** Takes that slots must show. Default: `[]` */
  pins?:
    | {
        /** Number of the slot, from 0 */
        slot: number;
        video_id: string;
        /** In the take; null: chosen. Default: `null` */
        start_seconds?: number | null | undefined;
        /** Point of the picture that crops keep in view; null: chosen */
        focus?:
          | {
              x: number;
              y: number;
            }
          | null
          | undefined;
      }[]
    | undefined;
  /** Slots that are longer or shorter than planned. The nearest slot after it that is not named here and has the time gives or takes the beats, else the nearest before it; all other cuts stay. A beat is one of the song, else of the template, else half a second */
  lengths?:
    | {
        /** Number of the slot, from 0 */
        slot: number;
        /** Beats more (or less, if negative) than planned; 0: stays as planned */
        beats: number;
      }[]
    | undefined;
  /** Parts of takes that the edit does not show. Default: `[]` */
  bans?:
    | {
        video_id: string;
        range: [number, number];
      }[]
    | undefined;
  /** Whether bans plan the whole edit again; otherwise they change the slots that showed the banned parts, and the output keeps its shape. Default: `false` */
  replan?: boolean | undefined;
  /** Texts over the picture, about 3 s each. Default: `[]` */
  titles?:
    | {
        /** `start`, `end`, or seconds of the output */
        at: 'start' | 'end' | number;
        /** At most two lines */
        text: string;
        /** `look`: as the template's titles, or its captions if it has no certain title, the default; `clean`, `bold`, `box`, `small`: white, large or small, on a shadow, an outline or a box */
        style?: 'look' | 'clean' | 'bold' | 'box' | 'small' | undefined;
        /** Middle of the text in the output, in shares of its width and height; null: as the style has it */
        place?:
          | {
              x: number;
              y: number;
            }
          | null
          | undefined;
        /** A box behind the text; null: as the style has it */
        box?: boolean | null | undefined;
        /** How it appears and disappears: `auto` (default): as the template's titles with the style `look`, at once with others; `none`: at once; `fade`, `slide` (from below), `pop` (grows) */
        animation?: 'auto' | 'none' | 'fade' | 'slide' | 'pop' | undefined;
      }[]
    | undefined;
  /** The job that this one changes, for its history. Default: `null` */
  revises?: string | null | undefined;
}
export interface JobConfig {
  /** Size and compression. `low`: up to 480 lines, quick and small; `medium`: up to 1080 lines, for the web; `high`: as many lines as `resolution` gives, to publish, about twice the time and size; `ultra`: nearly as good as the source, to edit further, about three times both. Default: `medium` */
  quality?:
    | 'low'
    | 'medium'
    | 'high'
    | 'ultra'
    | 'draft'
    | 'preview'
    | 'standard'
    | 'balanced'
    | 'best'
    | 'max'
    | undefined;
  /** How far the style is followed, from 0 (a clean copy) to 1 (all of the style). Default: `0.8` */
  style_strength?: number | undefined;
  /** Parts of the style: `true` follows one at `style_strength`, `false` leaves it out; `color`, `audio`, `pacing`, `transitions`, `motion` and `talk` also take a strength of their own from 0 to 1. `aspect_ratio` and `frame_rate` are `true`, `false` or `auto`: only where crops hold the subjects without padding, and where the source has a whole multiple of the rate. A missing one is as the preset sets it, without a preset `auto` for these two and `true` for the others */
  components?:
    | {
        color?: boolean | number | undefined;
        audio?: boolean | number | undefined;
        pacing?: boolean | number | undefined;
        transitions?: boolean | number | undefined;
        motion?: boolean | number | undefined;
        talk?: boolean | number | undefined;
        aspect_ratio?: boolean | 'auto' | undefined;
        frame_rate?: boolean | 'auto' | undefined;
        subtitles?: boolean | undefined;
      }
    | undefined;
  /** Dials that change the style before it is followed, each from -1 to 1, by default 0, the style as it is: `warmth`, `contrast`, `saturation`, `cuts` (half to twice as many), `zooms` (slow zooms of one video), `caption_size` */
  adjust?:
    | {
        /** -1 cooler, 1 warmer */
        warmth?: number | undefined;
        /** -1 softer, 1 harder */
        contrast?: number | undefined;
        /** -1 black and white, 1 twice the chroma */
        saturation?: number | undefined;
        /** -1 half as many cuts, 1 twice as many */
        cuts?: number | undefined;
        /** -1 no slow zooms, 1 more */
        zooms?: number | undefined;
        /** -1 two thirds of the size, 1 one and a half times */
        caption_size?: number | undefined;
      }
    | undefined;
  /** Lines of the shorter side, capped by `quality`. `auto`: as many as the larger of source and template, at most 1080 and at most twice the visible lines of the source, but at least 720 for an upright output of a wide source; `source` never scales up. Default: `auto` */
  resolution?: 'auto' | 'source' | '720p' | '1080p' | '1440p' | '2160p' | undefined;
  /** How another aspect ratio is filled, the same for the whole video. `auto` crops, and pads where more than a third of the time would not fit. Default: `auto` */
  framing?: 'auto' | 'crop' | 'pad' | undefined;
  /** The point that crops keep in view: `{x, y}`, from 0 (left, top) to 1 (right, bottom) of the source picture. One point holds for the whole video. A list of `{at_seconds, x, y}` gives a point to each shot: one point holds for its shot, between several the crop pans, and a shot without a point is framed automatically. By default all shots are framed automatically */
  framing_focus?:
    | {
        x: number;
        y: number;
      }
    | {
        at_seconds: number;
        x: number;
        y: number;
      }[]
    | null
    | undefined;
  /** The part of the source that counts, `[start, end]` in seconds: only it is measured and shown. Not for an edit, whose takes have `exclude`. By default all of it */
  source_range?: [number, number] | null | undefined;
  /** The part of the template video that counts, `[start, end]` in seconds: only it is measured. By default all of it */
  template_range?: [number, number] | null | undefined;
  /** How the style's pace is reached. `punch_in`: by cuts to closer framings of somebody whose face leads (at `components.pacing` 1 of anything), every frame of the source stays; `trim`: by leaving out parts of the source; `keep`: not at all. Default: `punch_in` */
  pacing?: 'punch_in' | 'trim' | 'keep' | undefined;
  /** Whether the pauses of somebody who speaks are shortened to those of the style, and first attempts and fillers left out. `auto` (default): only where the source is mostly speech with clear pauses and the template is an edited talk; `on`: wherever pauses are clear; `off`. With parts that stay or go: `{mode, keep, remove}`, both lists of `[start, end]` in seconds of the source, stronger than any finding. `components.talk` is the strength. An edit becomes a talk by `on`, or in `auto` by a take with the role `talk`; parts of its takes are left out by `edit.takes[].exclude` */
  talk?:
    | 'auto'
    | 'on'
    | 'off'
    | {
        mode?: 'auto' | 'on' | 'off' | undefined;
        keep?: [number, number][] | undefined;
        remove?: [number, number][] | undefined;
      }
    | undefined;
  /** Where the words of captions come from. `auto`: the video's caption file, else its text track, where the style has captions; `transcribe`: the video's caption file, else its speech, by the transcription engine that the operator has connected, always shown: in the style's manner, or plain where it has none. Default: `auto` */
  captions?: 'auto' | 'transcribe' | undefined;
  /** Another number gives another edit of the same kind. Default: `0` */
  seed?: number | undefined;
  /** Also make `comparison.mp4`, with source and output side by side. Default: `false` */
  comparison?: boolean | undefined;
  /** Jobs of a higher priority start first. Default: `50` */
  priority?: number | undefined;
  /** Texts of the client, by default none. Jobs whose label `client` differs take turns in the queue */
  labels?: Record<string, string> | undefined;
}
/** A note on work that succeeded, such as a limit that changed the result. */
export interface Warning {
  /** UPPER_SNAKE, stable */
  code: string;
  message: string;
}
/** A video that is fetched from an address. */
export interface VideoImport {
  video_id: string;
  status: 'importing' | 'failed';
  /** For display only, sanitised */
  filename: string;
  received_bytes: number;
  /** As reported by the address; null: unknown */
  size_bytes: number | null;
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  /** Of the video */
  url: string;
  /** Once failed: why there is no video */
  error: {
    code: string;
    message: string;
    detail: string;
    retryable: boolean;
  } | null;
}
export interface Video {
  video_id: string;
  /** Another while it is imported: see VideoImport */
  status: 'ready';
  /** Images are templates or takes of edits; sound files the music of edits, or templates */
  kind: 'video' | 'image' | 'audio';
  /** For display only, sanitised */
  filename: string;
  size_bytes: number;
  sha256: string;
  /** Found from the bytes */
  content_type: string;
  container: string;
  /** 0 for an image */
  duration_seconds: number;
  /** As displayed, after rotation; 0 for a sound file */
  width: number;
  /** As displayed, after rotation; 0 for a sound file */
  height: number;
  rotation: number;
  /** 0 for an image and a sound file */
  frame_rate: number;
  /** Empty for a sound file */
  video_codec: string;
  audio_codec: string | null;
  has_audio: boolean;
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  expires_at: string | null;
  /** A JPEG, at most 640 pixels long; of a sound file its waveform */
  poster_url: string;
  /** Frames in a row, one JPEG; of a sound file its waveform */
  filmstrip_url: string;
  /** As it was uploaded */
  file_url: string;
  warnings: Warning[];
}
/** JobResponse */
export interface Job {
  job_id: string;
  video_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  /** 100 only together with completed */
  progress_percent: number;
  /** Null unless processing */
  current_stage:
    | 'video_analysis'
    | 'audio_analysis'
    | 'motion_analysis'
    | 'style_extraction'
    | 'style_application'
    | 'rendering'
    | null;
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  /** The most recent change of status */
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
  template_video_id: string | null;
  /** Of the source, when the job was made */
  source_filename: string | null;
  /** Of the template, when the job was made */
  template_filename: string | null;
  /** `preset` of the request */
  preset: string | null;
  /** `style_id` of the request; the style may have been deleted since */
  style_id: string | null;
  /** Name of the saved style, when the job was made */
  style_name: string | null;
  /** Number of times that a worker has started the job */
  attempt: number;
  /** RFC 3339, UTC, with milliseconds */
  progress_updated_at: string;
  retry_of: string | null;
  /** As validated, with its defaults */
  config: Record<string, unknown>;
  /** `edit` of the request: all takes in order, each once; null: no edit */
  edit_request: EditRequest | null;
  warnings: Warning[];
  url: string;
  /** The newest frame of the output, while it is rendered */
  frame: {
    /** A new one for each frame */
    url: string;
    /** Increases with each frame */
    sequence: number;
    /** Of the output’s time */
    at_seconds: number;
  } | null;
  /** From 1, while queued; not in lists */
  queue_position?: number | null | undefined;
  /** A guess, while processing; not in lists */
  eta_seconds?: number | null | undefined;
}
export interface Artifact {
  name: string;
  content_type: string;
  size_bytes: number;
  url: string;
}
/** JobDetailResponse */
export interface JobDetail {
  job_id: string;
  video_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  /** 100 only together with completed */
  progress_percent: number;
  /** Null unless processing */
  current_stage:
    | 'video_analysis'
    | 'audio_analysis'
    | 'motion_analysis'
    | 'style_extraction'
    | 'style_application'
    | 'rendering'
    | null;
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  /** The most recent change of status */
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
  template_video_id: string | null;
  /** Of the source, when the job was made */
  source_filename: string | null;
  /** Of the template, when the job was made */
  template_filename: string | null;
  /** `preset` of the request */
  preset: string | null;
  /** `style_id` of the request; the style may have been deleted since */
  style_id: string | null;
  /** Name of the saved style, when the job was made */
  style_name: string | null;
  /** Number of times that a worker has started the job */
  attempt: number;
  /** RFC 3339, UTC, with milliseconds */
  progress_updated_at: string;
  retry_of: string | null;
  /** As validated, with its defaults */
  config: Record<string, unknown>;
  /** `edit` of the request: all takes in order, each once; null: no edit */
  edit_request: EditRequest | null;
  warnings: Warning[];
  url: string;
  /** The newest frame of the output, while it is rendered */
  frame: {
    /** A new one for each frame */
    url: string;
    /** Increases with each frame */
    sequence: number;
    /** Of the output’s time */
    at_seconds: number;
  } | null;
  /** From 1, while queued; not in lists */
  queue_position?: number | null | undefined;
  /** A guess, while processing; not in lists */
  eta_seconds?: number | null | undefined;
  style_json: StyleJSON | null;
  /** Changes of the source; null unless completed, and for results of earlier versions */
  summary: EditSummary | null;
  /** Result of an edit, slot by slot; null unless an edit has completed */
  edit: EditResult | null;
  output_video_url: string | null;
  error: JobError | null;
  processing_time_seconds: number | null;
  /** After this time the result is 410; null: never */
  expires_at: string | null;
  artifacts: Artifact[];
}
export interface Health {
  status: 'healthy' | 'degraded' | 'draining';
  version: string;
  uptime_seconds: number;
  checks: {
    database: 'ok' | 'failed';
    storage: 'ok' | 'failed';
    disk_free_bytes: number | null;
    media_engine: 'ok' | 'failed';
    /** Protections that are active in the processes that decode media */
    media_isolation: {
      filesystem: boolean;
      network: boolean;
      processes: boolean;
      limits: boolean;
    };
    queue: {
      /** An operator has paused the queue; new jobs wait */
      paused: boolean;
      queued: number;
      processing: number;
      oldest_queued_seconds: number | null;
    } | null;
    workers: number | null;
  };
  /** What this installation offers beyond the default */
  features: {
    /** Whether `captions: "transcribe"` can be requested */
    transcription: boolean;
  };
}
export interface WebhookDelivery {
  webhook_id: string;
  event: 'job.completed' | 'job.failed' | 'job.cancelled';
  url: string;
  state: 'pending' | 'delivered' | 'failed';
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  next_attempt_at: string | null;
  attempts: {
    /** RFC 3339, UTC, with milliseconds */
    attempted_at: string;
    status_code: number | null;
    error: string | null;
    duration_ms: number;
  }[];
}
export interface JobList {
  jobs: Job[];
  total: number;
  page: number;
  page_size: number;
  /** Null on the last page */
  next_cursor: string | null;
}
/** Distinguished by `status`. */
export type VideoOrImport = Video | VideoImport;
export interface VideoImportRequest {
  /** http(s) address of the file */
  url: string;
  /** For display; default: the end of the address’s path */
  filename?: string | null | undefined;
}
export interface VideoList {
  videos: Video[];
  total: number;
  page: number;
  page_size: number;
  /** Null on the last page */
  next_cursor: string | null;
}
export interface WebhookSecret {
  /** The first of `secrets` */
  secret: string;
  /** All are used for signatures; a receiver verifies with any of them */
  secrets: string[];
}
export interface WebhookList {
  webhooks: WebhookDelivery[];
}
export interface Upload {
  upload_id: string;
  state: 'uploading' | 'finished' | 'failed';
  /** For display only, sanitised */
  filename: string;
  /** Received bytes */
  offset_bytes: number;
  length_bytes: number;
  /** Once finished */
  video_id: string | null;
  /** Once failed: why the file is no video for this service */
  error: {
    code: string;
    message: string;
    detail: string;
    retryable: boolean;
  } | null;
  /** RFC 3339, UTC, with milliseconds */
  created_at: string;
  /** An unfinished upload is removed at this time */
  expires_at: string;
}
export interface JobCreateRequest {
  /** The source video */
  video_id: string;
  /** A video, image or sound file; the last is also the music of an edit without one */
  template_video_id?: string | null | undefined;
  /** A Style DNA of an earlier result, instead of a template */
  style_json?: StyleJSON | null | undefined;
  /** An included style, instead of a template: see `/api/v1/presets` */
  preset?:
    | 'golden-hour'
    | 'blockbuster'
    | 'noir'
    | 'faded-film'
    | 'neon-night'
    | 'clean-interview'
    | 'vertical-short'
    | 'winter-light'
    | null
    | undefined;
  /** A saved style, instead of a template; the job keeps a copy */
  style_id?: string | null | undefined;
  /** At most 16 KiB; unknown keys are stored and named in `warnings` */
  config?: JobConfig | null | undefined;
  /** Makes an edit from many takes instead of styling one video; at most 80 KiB */
  edit?: EditRequest | null | undefined;
  /** http(s) address that is called when the job ends */
  webhook_url?: string | null | undefined;
}
export interface DeletedVideo {
  video_id: string;
  deleted: true;
}
export interface DeletedJob {
  job_id: string;
  deleted: true;
}
export interface ErrorAnswer {
  success: false;
  message: string;
  error: {
    code:
      | 'INVALID_JSON'
      | 'MALFORMED_MULTIPART'
      | 'MISSING_FILE'
      | 'MALFORMED_REQUEST'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'VIDEO_NOT_FOUND'
      | 'TEMPLATE_VIDEO_NOT_FOUND'
      | 'PREVIEW_NOT_FOUND'
      | 'ANALYSIS_NOT_FOUND'
      | 'PRESET_NOT_FOUND'
      | 'STYLE_NOT_FOUND'
      | 'JOB_NOT_FOUND'
      | 'FRAME_NOT_FOUND'
      | 'PROXY_NOT_FOUND'
      | 'COMPARISON_NOT_FOUND'
      | 'ARTIFACT_NOT_FOUND'
      | 'UPLOAD_NOT_FOUND'
      | 'CAPTIONS_NOT_FOUND'
      | 'WORKER_NOT_FOUND'
      | 'WEBHOOK_NOT_FOUND'
      | 'ROUTE_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'REQUEST_TIMEOUT'
      | 'JOB_NOT_COMPLETED'
      | 'FRAME_NOT_READY'
      | 'PREVIEW_NOT_COMPLETED'
      | 'JOB_NOT_CANCELLABLE'
      | 'JOB_NOT_QUEUED'
      | 'JOB_NOT_TERMINAL'
      | 'JOB_NOT_RETRYABLE'
      | 'STYLE_NAME_TAKEN'
      | 'VIDEO_IN_USE'
      | 'IDEMPOTENCY_IN_PROGRESS'
      | 'VIDEO_IMPORTING'
      | 'UPLOAD_OFFSET_MISMATCH'
      | 'UPLOAD_EXPIRED'
      | 'VIDEO_EXPIRED'
      | 'RESULT_EXPIRED'
      | 'TUS_VERSION_UNSUPPORTED'
      | 'FILE_TOO_LARGE'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNSUPPORTED_VIDEO_FORMAT'
      | 'RANGE_NOT_SATISFIABLE'
      | 'HOST_NOT_ALLOWED'
      | 'VALIDATION_ERROR'
      | 'INVALID_VIDEO'
      | 'VIDEO_LIMIT_EXCEEDED'
      | 'IMPORT_FAILED'
      | 'IMPORT_URL_FORBIDDEN'
      | 'INVALID_CAPTIONS'
      | 'CHECKSUM_MISMATCH'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'TRANSCRIPTION_UNAVAILABLE'
      | 'WEBHOOK_URL_FORBIDDEN'
      | 'RATE_LIMITED'
      | 'HEADERS_TOO_LARGE'
      | 'UPLOAD_CHECKSUM_MISMATCH'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE'
      | 'QUEUE_FULL'
      | 'DRAINING'
      | 'INSUFFICIENT_STORAGE';
    detail: string;
    /** Whether the same request may succeed later */
    retryable: boolean;
    request_id: string;
    /** Every field that is wrong; always with VALIDATION_ERROR */
    fields?: FieldError[] | undefined;
  };
  /** With JOB_NOT_COMPLETED only */
  data?: JobDetail | undefined;
}
export interface Worker {
  worker_id: string;
  host: string;
  pid: number;
  /** Limit of concurrent jobs */
  concurrency: number;
  /** Its running jobs */
  running: number;
  /** `draining`: starts no new jobs; `drained`: also has no jobs left; `silent`: no heartbeat for 30 s */
  state: 'working' | 'draining' | 'drained' | 'silent';
  started_at: string;
  seen_at: string;
}
export interface Queue {
  paused: boolean;
  paused_at: string | null;
  queued: number;
  processing: number;
  oldest_queued_seconds: number | null;
  workers: Worker[];
  /** The longest running first */
  running: {
    job_id: string;
    worker_id: string | null;
    current_stage:
      | 'video_analysis'
      | 'audio_analysis'
      | 'motion_analysis'
      | 'style_extraction'
      | 'style_application'
      | 'rendering';
    progress_percent: number;
    attempt: number;
    priority: number;
    started_at: string;
  }[];
  /** In the order in which they will start */
  next: {
    job_id: string;
    priority: number;
    created_at: string;
  }[];
}
export interface JobPriority {
  /** Higher first; default 50 */
  priority: number;
}
export interface Captions {
  video_id: string;
  /** Found from the bytes */
  format: 'srt' | 'vtt';
  /** Found from the bytes */
  encoding: string;
  cue_count: number;
  size_bytes: number;
  sha256: string;
  warnings: Warning[];
}
export interface DeletedCaptions {
  video_id: string;
  deleted: true;
}
export interface JobTimeline {
  job_id: string;
  /** Version 2, as in a plan: `frameRate`, `width`, `height`, `clips`, `transitions`, `audio`. Without grades, captions and the mix of an edit’s sound. New fields may be added */
  timeline: Record<string, unknown>;
  /** The videos of the timeline’s `takes`, by their numbers. They may have been deleted since */
  takes: {
    video_id: string;
  }[];
}
export interface Comparison {
  job_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  progress_percent: number;
  /** Once completed: MP4, source and output side by side */
  file_url: string | null;
  /** Once failed */
  error: JobError | null;
}
export interface Preset {
  /** `preset` of a new job */
  preset_id: string;
  name: string;
  description: string;
  /** Components of the style; a job with this preset leaves others off unless it sets them */
  components: (
    | 'color'
    | 'audio'
    | 'pacing'
    | 'transitions'
    | 'motion'
    | 'talk'
    | 'aspect_ratio'
    | 'frame_rate'
    | 'subtitles'
  )[];
  /** A scene in this look, rendered by this service */
  picture_url: string;
  /** A silent clip in this look, whose first frame is the picture */
  clip_url: string;
  style_json: StyleJSON;
}
export interface PresetList {
  presets: Preset[];
  /** The same scene without a look, for comparison */
  plain_picture_url: string;
}
export interface PreviewCreateRequest {
  /** The source video */
  video_id: string;
  /** A video, image or sound file; the last is also the music of an edit without one */
  template_video_id?: string | null | undefined;
  /** A Style DNA of an earlier result, instead of a template */
  style_json?: StyleJSON | null | undefined;
  /** An included style, instead of a template: see `/api/v1/presets` */
  preset?:
    | 'golden-hour'
    | 'blockbuster'
    | 'noir'
    | 'faded-film'
    | 'neon-night'
    | 'clean-interview'
    | 'vertical-short'
    | 'winter-light'
    | null
    | undefined;
  /** A saved style, instead of a template; the job keeps a copy */
  style_id?: string | null | undefined;
  /** At most 16 KiB; unknown keys are stored and named in `warnings` */
  config?: JobConfig | null | undefined;
  /** Of a storyboard or a plan: as in a job */
  edit?: EditRequest | null | undefined;
  /** `frames`: moments before and after, one picture. `draft`: a piece of the output, 480 lines. `storyboard`: the plan of an edit in words and one picture. `plan`: the plan as data, for players. Default: `"frames"` */
  kind?: 'frames' | 'draft' | 'storyboard' | 'plan' | undefined;
  /** Of `frames`: moments of the source; left out: three that are typical of it */
  at_seconds?: number[] | null | undefined;
  /** Of a draft: its start in the output. Default: `0` */
  start_seconds?: number | undefined;
  /** Of a draft. Default: `10` */
  duration_seconds?: number | undefined;
}
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Preview {
  preview_id: string;
  kind: 'frames' | 'draft' | 'storyboard' | 'plan';
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  progress_percent: number;
  video_id: string;
  template_video_id: string | null;
  url: string;
  /** Once completed: JPEG of frames and of a storyboard, MP4 of a draft; null for a plan */
  file_url: string | null;
  /** Of `frames`, once completed */
  picture: {
    width: number;
    height: number;
    moments: {
      at_seconds: number;
      /** Area of the picture with the source */
      before: PixelBox;
      /** Area of the picture with the same frame in the style’s colors */
      after: PixelBox;
      /** Its time in the output; null: it is left out */
      output_seconds: number | null;
      /** The part of the frame that the output shows, 0..1 from its left and top */
      framing: {
        x: number;
        y: number;
        width: number;
        height: number;
      } | null;
    }[];
  } | null;
  /** Of a storyboard, and of a plan with `edit`, once completed */
  edit: EditResult | null;
  /** Of a plan, once completed */
  plan: {
    /** The edit decision list that would be rendered, version 2: `frameRate`, `width`, `height`, `takes` with their `grade`, `clips`, `transitions`, `captions`, `captionLook`, `sound`, `audio`. New fields may be added */
    timeline: Record<string, unknown>;
    /** Gain that brings the sound to its planned loudness; the limiter may keep an output quieter */
    loudness_gain_db: number;
    /** The videos of the timeline’s `takes`, by their numbers */
    takes: {
      video_id: string;
      width: number;
      height: number;
      duration_seconds: number;
    }[];
    music: {
      video_id: string;
      duration_seconds: number;
    } | null;
  } | null;
  /** Of `frames`, once completed: the expected output and cost of a job with this config, mostly within a factor of 1.5 */
  expected: {
    width: number;
    height: number;
    duration_seconds: number;
    frame_rate: number;
    file_bytes: number;
    /** From the start of the job, at the pace of the jobs of the last hour */
    rendering_seconds: number;
  } | null;
  /** Once failed */
  error: JobError | null;
  warnings: Warning[];
}
export interface Analysis {
  video_id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  progress_percent: number;
  /** As soon as it is known */
  style_json: StyleJSON | null;
  /** The style in one sentence, for people; null until it is known. Its words may change */
  description: string | null;
  /** All findings as one HTML page; stored for a day */
  report_url: string | null;
  /** Once failed */
  error: JobError | null;
  warnings: Warning[];
}
export interface DeletedPreview {
  preview_id: string;
  deleted: true;
}
export interface Proxy {
  video_id: string;
  kind: 'video' | 'image' | 'audio';
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
  progress_percent: number;
  /** Once completed: MP4, of an image JPEG, of a sound file M4A */
  file_url: string | null;
  /** Once completed; 0 for a sound file */
  width: number | null;
  /** Once completed; 0 for a sound file */
  height: number | null;
  /** Once completed: constant, frames per second; 0 for an image and a sound file */
  frame_rate: number | null;
  /** Once completed; 0 for an image */
  duration_seconds: number | null;
  /** Once completed */
  has_sound: boolean | null;
  /** Once failed */
  error: JobError | null;
}
export interface DeletedProxy {
  video_id: string;
  deleted: true;
}
export interface SavedStyle {
  /** `style_id` of a new job or preview */
  style_id: string;
  /** Another while its templates are measured: see StyleMeasuring */
  status: 'ready';
  name: string;
  /** The style in one sentence */
  description: string;
  /** What the style was made from */
  origin: {
    kind: 'videos' | 'job' | 'style_json';
    /** Of `videos`; they may have been deleted since */
    videos: {
      video_id: string;
      filename: string;
    }[];
    /** Of `job`; it may have been deleted since */
    job_id: string | null;
  };
  /** Number of existing jobs that were created with it */
  use_count: number;
  created_at: string;
  /** The most recent change of the name */
  updated_at: string;
  /** A JPEG: the first template, or the poster of the job */
  picture_url: string | null;
  /** The StyleJSON with the name, to be saved */
  file_url: string;
  style_json: StyleJSON;
}
/** Nothing is saved yet: send the same request again. */
export interface StyleMeasuring {
  status: 'measuring';
  progress_percent: number;
  analyses: {
    video_id: string;
    filename: string;
    status: 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';
    progress_percent: number;
    error: JobError | null;
    /** Of the analysis */
    url: string;
  }[];
}
export interface StyleCreateRequest {
  /** Each saved style has another one, in any case */
  name: string;
  /** Templates: videos, images or sound files. Several give one style, what most have in common */
  video_ids?: string[] | null | undefined;
  /** A Style DNA, such as a saved file */
  style_json?: StyleJSON | null | undefined;
  /** A completed job: its style, with the dials of its `config.adjust` */
  job_id?: string | null | undefined;
  /** Dials that change the style before it is saved, as `config.adjust` of a job */
  adjust?:
    | {
        /** -1 cooler, 1 warmer */
        warmth?: number | undefined;
        /** -1 softer, 1 harder */
        contrast?: number | undefined;
        /** -1 black and white, 1 twice the chroma */
        saturation?: number | undefined;
        /** -1 half as many cuts, 1 twice as many */
        cuts?: number | undefined;
        /** -1 no slow zooms, 1 more */
        zooms?: number | undefined;
        /** -1 two thirds of the size, 1 one and a half times */
        caption_size?: number | undefined;
      }
    | null
    | undefined;
}
/** Distinguished by `status`. */
export type StyleCreation = SavedStyle | StyleMeasuring;
export interface SavedStyleList {
  styles: SavedStyle[];
  total: number;
  page: number;
  page_size: number;
  /** Null on the last page */
  next_cursor: string | null;
}
export interface StyleRenameRequest {
  /** Each saved style has another one, in any case */
  name: string;
}
export interface DeletedStyle {
  style_id: string;
  deleted: true;
}
export interface ListVideosQuery {
  /** Page number, starting at 1 */
  page?: number | undefined;
  /** Items per page */
  page_size?: number | undefined;
  /** `next_cursor` of an earlier page; overrides `page` */
  cursor?: string | undefined;
  /** Only videos, images or sound files */
  kind?: 'video' | 'image' | 'audio' | undefined;
  /** Part of the file’s name, in any case */
  q?: string | undefined;
}
export interface GetVideoFileQuery {
  /** 1: as an attachment */
  download?: '0' | '1' | 'true' | 'false' | undefined;
  /** Of the file: pages of any origin may show it, as reports do */
  sha256?: string | undefined;
}
export interface CreateAnalysisQuery {
  /** Start of the measured part; default: the start */
  start_seconds?: number | undefined;
  /** End of the measured part, at least 0.5 s later; default: the end */
  end_seconds?: number | undefined;
}
export interface GetAnalysisQuery {
  /** Start of the measured part; default: the start */
  start_seconds?: number | undefined;
  /** End of the measured part, at least 0.5 s later; default: the end */
  end_seconds?: number | undefined;
}
export interface GetAnalysisReportQuery {
  /** Start of the measured part; default: the start */
  start_seconds?: number | undefined;
  /** End of the measured part, at least 0.5 s later; default: the end */
  end_seconds?: number | undefined;
}
export interface ListStylesQuery {
  /** Page number, starting at 1 */
  page?: number | undefined;
  /** Items per page */
  page_size?: number | undefined;
  /** `next_cursor` of an earlier page; overrides `page` */
  cursor?: string | undefined;
  /** Part of the name, in any case */
  q?: string | undefined;
}
export interface ListJobsQuery {
  /** Page number, starting at 1 */
  page?: number | undefined;
  /** Items per page */
  page_size?: number | undefined;
  /** `next_cursor` of an earlier page; overrides `page` */
  cursor?: string | undefined;
  /** One, or several: with commas or repeated */
  status?:
    | 'queued'
    | 'processing'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | ('queued' | 'processing' | 'completed' | 'failed' | 'cancelled')[]
    | undefined;
  /** Part of the source’s or the template’s file name, in any case */
  q?: string | undefined;
  /** Only jobs of this source, or with this take */
  video_id?: string | undefined;
  /** Only jobs of this template */
  template_video_id?: string | undefined;
  /** Only jobs in this saved style, which may have been deleted since */
  style_id?: string | undefined;
  /** Only jobs in the style of this preset */
  preset?:
    | 'golden-hour'
    | 'blockbuster'
    | 'noir'
    | 'faded-film'
    | 'neon-night'
    | 'clean-interview'
    | 'vertical-short'
    | 'winter-light'
    | undefined;
}
export interface GetJobResultQuery {
  /** Seconds to wait for the job to end before answering */
  wait?: number | undefined;
}
export interface GetFrameQuery {
  /** Has no effect; gives each frame an address of its own */
  sequence?: string | undefined;
}
export interface GetOutputQuery {
  /** 1: as an attachment */
  download?: '0' | '1' | 'true' | 'false' | undefined;
  /** Of the file: pages of any origin may show it, as reports do */
  sha256?: string | undefined;
}
export interface GetArtifactQuery {
  /** 1: as an attachment */
  download?: '0' | '1' | 'true' | 'false' | undefined;
  /** Of the file: pages of any origin may show it, as reports do */
  sha256?: string | undefined;
}
export interface GetComparisonFileQuery {
  /** 1: as an attachment */
  download?: '0' | '1' | 'true' | 'false' | undefined;
  /** Of the file: pages of any origin may show it, as reports do */
  sha256?: string | undefined;
}
export interface GetQueueQuery {
  /** Of the running and of the next jobs */
  limit?: number | undefined;
}
