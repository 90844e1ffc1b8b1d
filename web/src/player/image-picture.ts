import type { Picture } from './picture.ts';

/** Fetches and decodes an image. Throws if the answer is no success, or no image. */
export async function loadImage(address: string): Promise<Picture> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return imagePicture(await createImageBitmap(await response.blob()));
}

export function imagePicture(image: ImageBitmap): Picture {
  return { kind: 'image', width: image.width, height: image.height, image };
}
