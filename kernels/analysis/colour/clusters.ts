/**
 * Clusters of a histogram of colours. `src/analysis/colour/palette.ts` says what for, and lays out the memory: cells of four numbers (f64), weight and L, a, b, and
 * centres of three.
 */

const NUMBER_BYTES: usize = 8;
const CELL_BYTES: usize = 32;
const CENTRE_BYTES: usize = 24;

/**
 * Into `centres`: the heaviest cell, then again and again the one whose weight times squared distance to those chosen is greatest; `most` of them, or fewer where no
 * cell is left. `nearest` has room for a number for each cell. Returns how many there are.
 */
export function chooseSeeds(cells: usize, count: usize, most: usize, nearest: usize, centres: usize): usize {
  for (let cell: usize = 0; cell < count; cell++) store<f64>(nearest + NUMBER_BYTES * cell, 1);
  let seeds: usize = 0;
  for (; seeds < most; seeds++) {
    let best: usize = 0;
    let greatest: f64 = 0;
    for (let cell: usize = 0; cell < count; cell++) {
      const at = cells + CELL_BYTES * cell;
      const gain = load<f64>(at) * load<f64>(nearest + NUMBER_BYTES * cell);
      if (gain > greatest) {
        greatest = gain;
        best = at;
      }
    }
    // No cell lies at address 0.
    if (best === 0) break;
    const centre = centres + CENTRE_BYTES * seeds;
    memory.copy(centre, best + NUMBER_BYTES, CENTRE_BYTES);
    for (let cell: usize = 0; cell < count; cell++) {
      const distance = squaredDistance(cells + CELL_BYTES * cell, centre);
      const place = nearest + NUMBER_BYTES * cell;
      store<f64>(place, seeds === 0 ? distance : min(load<f64>(place), distance));
    }
  }
  return seeds;
}

/**
 * Lloyd's algorithm, until no cell changes its cluster or `maxRounds` are over. Moves the centres, and leaves the sums (four numbers: of weights, and of L, a, b by weight) of the last
 * round. `owners` has room for a byte for each cell; at most 255 centres.
 */
export function cluster(
  cells: usize,
  count: usize,
  centres: usize,
  centreCount: usize,
  maxRounds: i32,
  owners: usize,
  sums: usize,
): void {
  // Nobody's.
  memory.fill(owners, 255, count);
  let changed = true;
  for (let round = 0; changed && round < maxRounds; round++) {
    changed = false;
    memory.fill(sums, 0, CELL_BYTES * centreCount);
    for (let cell: usize = 0; cell < count; cell++) {
      const at = cells + CELL_BYTES * cell;
      const owner = nearestCentre(at, centres, centreCount);
      if (load<u8>(owners + cell) !== (owner as u8)) {
        store<u8>(owners + cell, owner as u8);
        changed = true;
      }
      addCell(sums + CELL_BYTES * owner, at);
    }
    for (let centre: usize = 0; centre < centreCount; centre++)
      moveCentre(centres + CENTRE_BYTES * centre, sums + CELL_BYTES * centre);
  }
}

function nearestCentre(cell: usize, centres: usize, count: usize): usize {
  let best: usize = 0;
  let least = f64.POSITIVE_INFINITY;
  for (let centre: usize = 0; centre < count; centre++) {
    const distance = squaredDistance(cell, centres + CENTRE_BYTES * centre);
    if (distance < least) {
      least = distance;
      best = centre;
    }
  }
  return best;
}

function squaredDistance(cell: usize, centre: usize): f64 {
  const lightness = load<f64>(cell, 8) - load<f64>(centre);
  const a = load<f64>(cell, 16) - load<f64>(centre, 8);
  const b = load<f64>(cell, 24) - load<f64>(centre, 16);
  return lightness * lightness + a * a + b * b;
}

function addCell(sums: usize, cell: usize): void {
  const weight = load<f64>(cell);
  store<f64>(sums, load<f64>(sums) + weight);
  store<f64>(sums, load<f64>(sums, 8) + weight * load<f64>(cell, 8), 8);
  store<f64>(sums, load<f64>(sums, 16) + weight * load<f64>(cell, 16), 16);
  store<f64>(sums, load<f64>(sums, 24) + weight * load<f64>(cell, 24), 24);
}

/** To the mean of its cells; one without any stays. */
function moveCentre(centre: usize, sums: usize): void {
  const weight = load<f64>(sums);
  if (weight === 0) return;
  store<f64>(centre, load<f64>(sums, 8) / weight);
  store<f64>(centre, load<f64>(sums, 16) / weight, 8);
  store<f64>(centre, load<f64>(sums, 24) / weight, 16);
}
