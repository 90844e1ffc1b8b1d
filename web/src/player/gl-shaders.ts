/** Shaders of the painter, WebGL 2. All positions count from the top left. */

export const VERTEX = `#version 300 es
out vec2 at;
void main() {
  vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  at = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}`;

const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler3D;
in vec2 at;
out vec4 color;
`;

/** Reads a picture: planes of BT.709 in limited range (ITU-R BT.709-6, section 3), or RGB. */
const PICTURE = `
uniform sampler2D plane0;
uniform sampler2D plane1;
uniform sampler2D plane2;
uniform int layout_;
uniform vec2 pictureSize;
vec3 pictureAt(vec2 p) {
  vec3 first = texture(plane0, p).rgb;
  if (layout_ == 2) return first;
  // Chroma lies on every other luma column, as in MPEG-2: a quarter of its own pixel to the left of their middle.
  vec2 c = p + vec2(0.5 / pictureSize.x, 0.0);
  vec2 chroma = layout_ == 0 ? vec2(texture(plane1, c).r, texture(plane2, c).r) : texture(plane1, c).rg;
  float y = (first.r * 255.0 - 16.0) / 219.0;
  vec2 d = (chroma * 255.0 - 128.0) / 224.0;
  return clamp(vec3(y + 1.5748 * d.y, y - 0.187324 * d.x - 0.468124 * d.y, y + 1.8556 * d.x), 0.0, 1.0);
}
`;

/**
 * Looks a color up in the grade's table, in the tetrahedron of its cell: four reads of an unfiltered texture are faster without a
 * graphics card than one of a filtered one.
 */
const GRADE = `
uniform sampler3D cube;
uniform sampler2D curves;
uniform int cubeSize;
uniform int curveCount;
uniform float gradeShare;
float curved(float value, int axis) {
  float place = clamp(value, 0.0, 1.0) * float(curveCount - 1);
  int before = min(curveCount - 2, int(place));
  return mix(texelFetch(curves, ivec2(before, 0), 0)[axis], texelFetch(curves, ivec2(before + 1, 0), 0)[axis],
    place - float(before));
}
vec3 entry(ivec3 place) { return texelFetch(cube, place, 0).rgb; }
vec3 graded(vec3 rgb) {
  if (cubeSize == 0) return rgb;
  vec3 c = curveCount == 0 ? rgb : vec3(curved(rgb.r, 0), curved(rgb.g, 1), curved(rgb.b, 2));
  vec3 p = clamp(c, 0.0, 1.0) * float(cubeSize - 1);
  ivec3 near = min(ivec3(p), ivec3(cubeSize - 2));
  vec3 d = p - vec3(near);
  float most = max(d.r, max(d.g, d.b));
  float least = min(d.r, min(d.g, d.b));
  float middle = d.r + d.g + d.b - most - least;
  ivec3 one = d.r == most ? ivec3(1, 0, 0) : d.g == most ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
  ivec3 without = d.b == least ? ivec3(0, 0, 1) : d.g == least ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
  vec3 found = entry(near) * (1.0 - most) + entry(near + one) * (most - middle)
    + entry(near + 1 - without) * (middle - least) + entry(near + 1) * least;
  return clamp(mix(rgb, clamp(found, 0.0, 1.0), gradeShare), 0.0, 1.0);
}
`;

/** A window of a picture, graded. \`samples\`² reads per pixel, where the picture is made much smaller. */
export const FRAMED = `${HEAD}${PICTURE}${GRADE}
uniform vec4 window;
uniform vec2 pixel;
uniform int samples;
void main() {
  vec2 middle = window.xy + at * window.zw;
  vec3 sum = vec3(0.0);
  if (samples == 1) sum = pictureAt(middle);
  else {
    for (int y = 0; y < samples; y++)
      for (int x = 0; x < samples; x++)
        sum += pictureAt(middle + ((vec2(x, y) + 0.5) / float(samples) - 0.5) * pixel);
    sum /= float(samples * samples);
  }
  color = vec4(graded(sum), 1.0);
}`;

/** A texture that was drawn before, darkened and graded. */
export const COPIED = `${HEAD}${GRADE}
uniform sampler2D drawn;
uniform float added;
void main() {
  color = vec4(graded(clamp(texture(drawn, vec2(at.x, 1.0 - at.y)).rgb + added, 0.0, 1.0)), 1.0);
}`;

/**
 * Both directions of FFmpeg's \`gblur\`: each pixel counts \`decay\` times as much as its neighbour nearer the middle. x: of luma; y: of chroma, whose
 * planes have half the pixels and the same blur. Beyond its end a line continues with the decaying mean up to there.
 */
export const BLURRED = `${HEAD}
uniform sampler2D drawn;
/** To the next pixel to the right or down. */
uniform vec2 along;
uniform vec2 decay;
/** Pixels: those further away weigh less than .004 of the nearest, at the widest blur (8 pixels, chroma). */
const int REACH = 32;
/** Luma and the three differences from it. */
vec4 parted(vec2 p) {
  vec3 rgb = texture(drawn, p).rgb;
  float luma = dot(rgb, vec3(0.2126, 0.7152, 0.0722));
  return vec4(rgb - luma, luma);
}
vec4 ending(vec2 end, vec4 decays) {
  vec4 sum = vec4(0.0);
  vec4 total = vec4(0.0);
  vec4 weight = vec4(1.0);
  for (int step = 0; step <= REACH; step++) {
    sum += weight * parted(end - float(step) * along);
    total += weight;
    weight *= decays;
  }
  return sum / total;
}
void main() {
  vec2 p = vec2(at.x, 1.0 - at.y);
  vec4 decays = decay.yyyx;
  int left = int(along.x != 0.0 ? (1.0 - p.x) / along.x : p.y / -along.y);
  vec4 beyond = left < REACH ? ending(p + float(left) * along, decays) : vec4(0.0);
  vec4 sum = parted(p);
  vec4 total = vec4(1.0);
  vec4 weight = vec4(1.0);
  for (int step = 1; step <= REACH; step++) {
    weight *= decays;
    vec4 ahead = step > left ? beyond : parted(p + float(step) * along);
    sum += weight * (ahead + parted(p - float(step) * along));
    total += 2.0 * weight;
  }
  vec4 mean = sum / total;
  color = vec4(mean.rgb + mean.a, 1.0);
}`;

/** Mean colors along both edges of a window: row 0 of its top or left, row 1 of its bottom or right. */
export const EDGES = `${HEAD}${PICTURE}
uniform vec4 window;
uniform int count;
uniform bool areColumns;
/** Lines that are averaged, as a share of the window. */
uniform float depth;
void main() {
  float begin = at.y < 0.5 ? 0.0 : 1.0 - depth;
  float part = floor(at.x * float(count));
  vec3 sum = vec3(0.0);
  for (int n = 0; n < 16; n++)
    for (int line = 0; line < 2; line++) {
      float along = (part + (float(n) + 0.5) / 16.0) / float(count);
      float across = begin + depth * (float(line) + 0.5) / 2.0;
      sum += pictureAt(window.xy + window.zw * (areColumns ? vec2(across, along) : vec2(along, across)));
    }
  color = vec4(sum / 32.0, 1.0);
}`;

/** One of the two edges, continued. */
export const CONTINUED = `${HEAD}${GRADE}
uniform sampler2D drawn;
uniform float row;
uniform bool areColumns;
void main() {
  color = vec4(graded(texture(drawn, vec2(areColumns ? at.y : at.x, row)).rgb), 1.0);
}`;

/** Transitions, as \`composite.ts\` of the renderer draws them. */
export const CROSSED = `${HEAD}
uniform sampler2D before;
uniform sampler2D after;
uniform int kind;
uniform vec2 size;
uniform float share;
uniform vec2 direction;
uniform vec3 through;
uniform float depth;
vec3 old(vec2 p) { return texture(before, vec2(p.x, 1.0 - p.y)).rgb; }
vec3 new_(vec2 p) { return texture(after, vec2(p.x, 1.0 - p.y)).rgb; }
void main() {
  vec3 rgb;
  if (kind == 0) rgb = mix(old(at), new_(at), share);
  else if (kind == 1) rgb = share < 0.5 ? mix(through, old(at), 1.0 - 2.0 * share)
    : mix(through, new_(at), 2.0 * share - 1.0);
  else if (kind == 2) {
    float place = direction.x != 0.0 ? (direction.x > 0.0 ? at.x : 1.0 - at.x)
      : (direction.y > 0.0 ? at.y : 1.0 - at.y);
    rgb = place < share ? new_(at) : old(at);
  } else if (kind == 3) {
    vec2 moved = at - direction * share;
    bool isOld = all(greaterThanEqual(moved, vec2(0.0))) && all(lessThan(moved, vec2(1.0)));
    rgb = isOld ? old(moved) : new_(moved + direction);
  } else if (kind == 4) {
    float radius = share * length(size) / 2.0;
    rgb = length((at - 0.5) * size) < radius ? new_(at) : old(at);
  } else {
    float scale = 1.0 / (1.0 + depth * share);
    float weight = share * share * (3.0 - 2.0 * share);
    rgb = mix(old((at - 0.5) * scale + 0.5), new_(at), weight);
  }
  color = vec4(rgb, 1.0);
}`;

/** A caption with premultiplied colors. */
export const LETTERED = `${HEAD}
uniform sampler2D letters;
void main() { color = texture(letters, at); }`;
