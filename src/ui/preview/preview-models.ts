import type { AnswerEngine } from '../../answer/answer-engine.ts';
import { catalogue } from '../../answer/catalogue.ts';
import { type Device, fits } from '../../answer/device.ts';
import type { FetchOptions, KeptModel, ModelFiles } from '../../answer/files/model-files.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { modelTables } from '../../answer/tables.ts';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { ModelSettings, type SettingsStorage } from '../models/model-settings.ts';
import { ModelsSession } from '../models/models-session.ts';

const GIB = 2 ** 30;

const LAPTOP: Device = {
  gpu: { software: false, shaderF16: true, maxBufferBytes: 2 * GIB },
  memoryBytes: 8 * GIB,
  cores: 8,
  isolated: true,
  freeBytes: 60e9,
};

/** Sizes of files that are not there. */
export class PreviewFiles implements ModelFiles {
  readonly kept = new Map<string, KeptModel>();

  async fetch(): Promise<void> {}

  async read(): Promise<Blob | undefined> {
    return undefined;
  }

  async put(modelId: string, files: readonly { readonly blob: Blob }[]): Promise<void> {
    this.keep(
      modelId,
      files.reduce((sum, { blob }) => sum + blob.size, 0),
      true,
    );
  }

  async list(): Promise<KeptModel[]> {
    return [...this.kept.values()];
  }

  async remove(modelId: string): Promise<void> {
    this.kept.delete(modelId);
  }

  keep(modelId: string, bytes: number, complete: boolean): void {
    this.kept.set(modelId, { modelId, bytes, complete });
  }
}

/** How the preview's downloads go. */
export interface PreviewDownloads {
  /** Milliseconds between two steps of a download. */
  delay: number;
  /** What a download fails with half-way. */
  failure?: SkeinError;
}

/** The session of language models on made-up files, for working on the Models view and for its tests. */
export function previewModels(
  downloads: PreviewDownloads = { delay: 150 },
  device: Device = LAPTOP,
): { models: ModelsSession; files: PreviewFiles; settings: ModelSettings } {
  const files = new PreviewFiles();
  const settings = new ModelSettings(storageHere());
  const models = new ModelsSession({
    files,
    settings,
    fits,
    detectDevice: async () => device,
    catalogue: async (own) => catalogue({ ...(await modelTables()), own }, device),
    download: (model, options) => pretend(files, model, options, downloads),
    persist: async () => false,
    async connect(): Promise<AnswerEngine> {
      throw new SkeinError('model-missing', 'The preview has no engines.', 'Open the page without ?preview.');
    },
  });
  return { models, files, settings };
}

const STEPS = 40;

async function pretend(
  files: PreviewFiles,
  { id, bytes }: AnswerModel,
  { onProgress, signal }: FetchOptions,
  downloads: PreviewDownloads,
): Promise<void> {
  for (let loaded = files.kept.get(id)?.bytes ?? 0; loaded < bytes; loaded += bytes / STEPS) {
    onProgress?.(loaded, bytes);
    files.keep(id, loaded, false);
    await new Promise((resolve) => setTimeout(resolve, downloads.delay));
    throwIfAborted(signal);
    if (downloads.failure && loaded > bytes / 2) throw downloads.failure;
  }
  files.keep(id, bytes, true);
}

function storageHere(): SettingsStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
  };
}
