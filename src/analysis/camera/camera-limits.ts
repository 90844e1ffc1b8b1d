/**
 * What the camera's label rests on. Ways and speeds are in frame diagonals (per second), of a zoom and a roll those of the
 * picture's points. Where a range is named it is that of the clips of `bench/README.md` which have to fall on each side.
 */
export const CAMERA = {
  /** Steps are joined to at least this long: a repeated frame is no shake. */
  binSeconds: 0.1,
  /** What is faster than this is shake, what is slower a move: hands shake at 1 to 8 Hz. */
  smoothSeconds: 0.7,
  zoom: {
    /** Log scale from which a zoom is one; where the picture is scaled by less in a second is no time under a zoom. */
    logScale: 0.035,
    /** Half the width, as a share of a limit, of the slope that stands for it. */
    softness: 1 / 3,
  },
  move: {
    /** Net way from which a move is one; slow pans that were made go .05 and more, the tremor of a still camera .01. */
    panWay: 0.03,
    /** Share of the way that must lead to where it ends: a pan that comes back is none. */
    oneWay: 0.6,
    /** A zoom or pan must stand out against the shake by this factor … */
    overShake: 0.25,
    /** … but for a framing that ends this much closer or wider, log scale, by whatever way: it is what is remembered. */
    largeZoom: 0.5,
    /** A zoom with this share of the pan's way is still named before it. */
    zoomOverPan: 0.5,
  },
  static: {
    /** How far the picture may wander, and shake, and still be called static. */
    unrest: 0.02,
    /** What it does for more than the rest of the time is what it does: a jolt may take a quarter. */
    quietShare: 0.75,
  },
  handheld: {
    /**
     * Mean speed of the smoothed way over the shake, past which the hand is not all that moves: shakes of .1 to .3 that were made
     * sway by less, a tilt with a pan there and back, shaken by .01 to .04, goes by more.
     */
    wayOfShake: 1.5,
  },
  /** From here on nothing is taken off the confidence. */
  enough: {
    /** Share of blocks with texture. */
    texture: 0.2,
    /** Where the sides show nothing, camera and subject are hard to tell apart: what is left of the confidence. */
    ground: 0.3,
    reach: 0.3,
    /** See `coherenceOf`: real moves have .35 and more (most .9), near subjects that were taken for the ground .2 and less. */
    coherence: 0.5,
  },
} as const;
