import type { Markup } from './markup.ts';
import { figure, panel, readingTable, shareBar } from './panel.ts';
import type { CameraView } from './view.ts';

export function cameraPanel(view: CameraView): Markup {
  return panel(
    'camera',
    'Camera and motion',
    view.confidence,
    figure('Camera, by time', shareBar(view.labels)),
    readingTable(view.readings, view.confidence),
  );
}
