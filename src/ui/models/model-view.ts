import type { LoadedModel, LoadProgress } from '../../answer/answer-engine.ts';
import type { Fit } from '../../answer/device.ts';
import type { AnswerModel } from '../../answer/models.ts';

/** What is on this device of a model's files, and what is being done about it. */
export type FilesState =
  /** The model has no files: the browser or another program brings it. */
  | { readonly kind: 'none' }
  | { readonly kind: 'absent' }
  /** Before the first byte: sizes are asked for, or another tab downloads this model (`elsewhere`). */
  | { readonly kind: 'starting'; readonly elsewhere: boolean }
  | { readonly kind: 'downloading'; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly kind: 'paused'; readonly keptBytes: number }
  | { readonly kind: 'failed'; readonly keptBytes: number; readonly message: string; readonly remedy: string }
  | { readonly kind: 'kept'; readonly bytes: number };

/** A model as the page shows it. */
export interface ModelView {
  readonly model: AnswerModel;
  readonly fit: Fit;
  readonly files: FilesState;
  readonly chosen: boolean;
}

/** What the engine of the chosen model is doing. */
export type LoadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly model: AnswerModel; readonly progress: LoadProgress | undefined }
  | { readonly kind: 'ready'; readonly loaded: LoadedModel }
  | {
      readonly kind: 'failed';
      readonly model: AnswerModel;
      readonly message: string;
      readonly remedy: string;
    };
