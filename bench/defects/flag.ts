/** Defects that make a viewer wince, each against the source at the same moment. */

export const DEFECTS = [
  'short framing',
  'many framings',
  'framing on a zoom',
  'hopping in a pan',
  'framing of letters',
  'lifted bars',
  'cast on white',
  'dull white',
  'dark shot',
  'haze',
  'too quiet',
  'too loud',
  'face lost',
  'face cut',
  'hair cut',
  'letters cut',
  'skin darker',
  'skin redder',
  'hue of a strong color',
  'blocks or bands',
] as const;
export type Defect = (typeof DEFECTS)[number];

/** One defect in one shot of the source. */
export interface Flag {
  readonly defect: Defect;
  /** In the source; null: the whole video. */
  readonly atSeconds: number | null;
  /** Figures: the source's, the output's. */
  readonly detail: string;
}
