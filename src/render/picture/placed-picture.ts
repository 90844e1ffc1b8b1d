import type { KernelLayout } from '../../signal/kernel.ts';
import type { Plane, Yuv } from './composite.ts';

/** A plane in a kernel's memory; rows are `stride` bytes apart. */
export interface PlacedPlane {
  readonly address: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

export type PlacedPicture = readonly [luma: PlacedPlane, blue: PlacedPlane, red: PlacedPlane];

/** Reserves memory for a picture like `picture`. `strideOf` returns the distance of rows in bytes, at least the plane's width. */
export function placePicture(
  layout: KernelLayout,
  picture: Yuv,
  strideOf: (plane: Plane) => number,
): PlacedPicture {
  const place = (plane: Plane) => {
    const { width, height } = plane;
    const stride = strideOf(plane);
    return { address: layout.take(stride * height), stride, width, height };
  };
  const [y, u, v] = picture;
  return [place(y), place(u), place(v)];
}

/** Copies a picture into the kernel's memory; strides must be equal. */
export function copyIn(memory: Uint8Array, picture: Yuv, places: PlacedPicture): void {
  for (const [index, { address, stride, height }] of places.entries())
    memory.set(picture[index].data.subarray(0, stride * height), address);
}

/** Copies a picture out of the kernel's memory: whole planes with padding if strides are equal, else row by row. */
export function copyOut(memory: Uint8Array, places: PlacedPicture, picture: Yuv): void {
  for (const [index, { address, stride, width, height }] of places.entries()) {
    const plane = picture[index];
    if (plane.stride === stride) plane.data.set(memory.subarray(address, address + stride * height));
    else
      for (let row = 0; row < height; row++) {
        const start = address + row * stride;
        plane.data.set(memory.subarray(start, start + width), row * plane.stride);
      }
  }
}
