/** Second-order section b0 + b1·z⁻¹ + b2·z⁻² over 1 + a1·z⁻¹ + a2·z⁻². */
export interface BiquadCoefficients {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * The K-weighting of ITU-R BS.1770-4 for any sample rate: shelf and high-pass from their analogue prototypes
 * by the bilinear transform. Prototype values: B. De Man, "Evaluation of implementations of the EBU R128
 * loudness measurement", AES 145, 2018; at 48 kHz they give the table of the recommendation.
 */
export function kWeightingFilters(sampleRate: number): readonly [BiquadCoefficients, BiquadCoefficients] {
  return [shelf(sampleRate), highPass(sampleRate)];
}

/** The K-weighting of one channel; keeps its state between blocks. */
export class KWeighting {
  readonly #sections: readonly [BiquadCoefficients, BiquadCoefficients];
  readonly #state = new Float64Array(4);

  constructor(sampleRate: number) {
    this.#sections = kWeightingFilters(sampleRate);
  }

  /** Adds `weight` times the square of the weighted samples to `into`; both sections in one pass. */
  addSquares(samples: ArrayLike<number>, weight: number, into: Float64Array, length: number): void {
    const [f, g] = this.#sections;
    const state = this.#state;
    let [f1, f2, g1, g2] = state as unknown as [number, number, number, number];
    // Transposed direct form II.
    for (let n = 0; n < length; n++) {
      const x = samples[n];
      const y = f.b0 * x + f1;
      f1 = f.b1 * x - f.a1 * y + f2;
      f2 = f.b2 * x - f.a2 * y;
      const z = g.b0 * y + g1;
      g1 = g.b1 * y - g.a1 * z + g2;
      g2 = g.b2 * y - g.a2 * z;
      into[n] += weight * z * z;
    }
    // Denormal numbers are slow, and a decaying tail makes them.
    [f1, f2, g1, g2].forEach((value, i) => {
      state[i] = Math.abs(value) < 1e-30 ? 0 : value;
    });
  }
}

function shelf(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  return normalised(
    high + (band * k) / q + k * k,
    2 * (k * k - high),
    high - (band * k) / q + k * k,
    1 + k / q + k * k,
    2 * (k * k - 1),
    1 - k / q + k * k,
  );
}

function highPass(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  // The recommendation leaves the numerator at 1, −2, 1 whatever the rate.
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

function normalised(
  b0: number,
  b1: number,
  b2: number,
  a0: number,
  a1: number,
  a2: number,
): BiquadCoefficients {
  return { b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0 };
}
