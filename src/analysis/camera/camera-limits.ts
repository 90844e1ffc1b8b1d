/**
 * Limits of the camera label. Distances and speeds are in frame diagonals (per second); for zoom and roll, those
 * of the picture's points. Ranges named below are those of the clips of `bench/FIGURES.md` on each side of the
 * limit.
 */
export const CAMERA = {
  /** Steps are merged into bins of at least this length: a repeated frame is no shake. */
  binSeconds: 0.1,
  /** Motion faster than this is shake, slower motion is a move. Hands shake at 1 to 8 Hz. */
  smoothSeconds: 0.7,
  zoom: {
    /** Least log scale of a zoom. Time in which the picture scales by less per second does not count as zoom time. */
    logScale: 0.035,
    /** Half the width of the soft threshold, as a share of the limit. */
    softness: 1 / 3,
  },
  move: {
    /** Least net distance of a move: deliberate slow pans travel .05 or more, a still camera's tremor .01. */
    panDistance: 0.03,
    /** Least share of the path that leads towards its end: a pan that returns is no pan. */
    directness: 0.6,
    /** A zoom or pan must exceed the shake by this factor … */
    overShake: 0.25,
    /** … unless the framing ends this much closer or wider (log scale): viewers remember the framing. */
    largeZoom: 0.5,
    /** A zoom with this share of the pan's distance is still named before the pan. */
    zoomOverPan: 0.5,
  },
  static: {
    /** Largest drift and shake of a static camera. */
    unrest: 0.02,
    /** The camera counts as static if it is still for this share of the time: a jolt may take a quarter. */
    quietShare: 0.75,
  },
  handheld: {
    /**
     * Mean speed of the smoothed path over the shake above which the motion is more than hand sway. Generated
     * shakes of .1 to .3 stay below; a tilt with a pan there and back, shaken by .01 to .04, exceeds it.
     */
    swayOverShake: 1.5,
  },
  /** Values at which the confidence is not reduced. */
  enough: {
    /** Share of blocks with texture. */
    texture: 0.2,
    /** Remaining confidence if the sides show nothing: camera and subject are then hard to separate. */
    ground: 0.3,
    reach: 0.3,
    /**
     * See `coherenceOf`: real moves have .35 or more (most .9), near subjects mistaken for the background at most
     * .2.
     */
    coherence: 0.5,
  },
} as const;
