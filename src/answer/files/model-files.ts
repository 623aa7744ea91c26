/** One file of a model: where it comes from, and what it must be. */
export interface ModelFile {
  /** Path inside the model's folder. */
  readonly path: string;
  readonly url: string;
  readonly bytes?: number;
  /** SHA-256 in hexadecimal, where somebody states it. */
  readonly sha256?: string;
}

/** What of a model lies on this device. */
export interface KeptModel {
  /** `AnswerModel.id`. */
  readonly modelId: string;
  readonly bytes: number;
  /** False after a download that was paused or broke off. */
  readonly complete: boolean;
}

export interface FetchOptions {
  /** Bytes over all files of the call; `total` is known before the first byte of a file and does not change. */
  readonly onProgress?: (loadedBytes: number, totalBytes: number) => void;
  /** Called when another tab works on the same model: this call waits for it. */
  readonly onWaiting?: () => void;
  /** More files of the model follow, so that it is not complete after this call. */
  readonly moreToCome?: boolean;
  /** An abort is a pause: what came stays, and the next call goes on behind it. */
  readonly signal?: AbortSignal;
}

export interface PutOptions {
  /** These are all files of the model: others that it has are removed, and it is complete. */
  readonly whole?: boolean;
}

/**
 * Port: the files of language models on this device. A file is kept only after its size and hash (where stated) have
 * been checked and it is no web page in disguise. Errors: `download-failed`, `integrity-failed`, `offline`, `quota`
 * (before the first byte where the sizes say so), `aborted`.
 */
export interface ModelFiles {
  /** Downloads what is missing of `files`, as files of model `modelId`. */
  fetch(modelId: string, files: readonly ModelFile[], options?: FetchOptions): Promise<void>;
  /** A file that is kept, or undefined. */
  read(modelId: string, path: string): Promise<Blob | undefined>;
  /** Keeps files that the person dropped, or that were made here, beside those the model has. */
  put(
    modelId: string,
    files: readonly { readonly path: string; readonly blob: Blob }[],
    options?: PutOptions,
  ): Promise<void>;
  list(): Promise<KeptModel[]>;
  /** Removes a model's files, or those of `paths` alone; the parts of a paused download too. */
  remove(modelId: string, paths?: readonly string[]): Promise<void>;
}
