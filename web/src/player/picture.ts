/** Planes of a decoded picture without padding, BT.709, limited range; or an image in RGB. */
export type Picture =
  | {
      readonly kind: 'planes';
      /** `I420`: three planes; `NV12`: luma, then pairs of chroma. */
      readonly format: 'I420' | 'NV12';
      readonly width: number;
      readonly height: number;
      readonly data: ArrayBuffer;
    }
  | {
      readonly kind: 'image';
      readonly width: number;
      readonly height: number;
      readonly image: ImageBitmap | HTMLVideoElement | HTMLCanvasElement;
    };
