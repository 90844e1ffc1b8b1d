const BEAT_SECONDS = 0.5;

/** A kick on every beat, a hat between them, a bass note under both: 120 beats a minute. */
export function drums(seconds: number): number {
  const beat = seconds % BEAT_SECONDS;
  const hat = (seconds + BEAT_SECONDS / 2) % BEAT_SECONDS;
  const kick = Math.sin(2 * Math.PI * (52 * beat + 8 * (1 - Math.exp(-beat * 30)))) * Math.exp(-beat * 14);
  const noise = Math.sin(seconds * 91_733.7) * Math.sin(seconds * 57_911.3);
  const bass = 0.25 * Math.sin(2 * Math.PI * (seconds % 4 < 2 ? 55 : 65.4) * seconds);
  return 0.6 * kick + 0.22 * noise * Math.exp(-hat * 60) + 0.5 * bass;
}

/** A soft chord, like the sound of an unmixed holiday film. */
export function chord(seconds: number): number {
  const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 0.2 * seconds);
  return (
    0.05 * swell * [220, 277.2, 329.6, 440].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * seconds), 0)
  );
}
