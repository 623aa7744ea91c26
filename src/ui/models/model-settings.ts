import { type AnswerModel, ENGINE_KINDS } from '../../answer/models.ts';

const CHOSEN = 'skein-answer-model';
const OWN = 'skein-own-models';
const KEYS = 'skein-endpoint-keys';

/** Where the settings lie: localStorage, or a stand-in for it. */
export type SettingsStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * What a person chose about language models on this device: the model, models of their own, and endpoints'
 * keys if they said so. No thread depends on it, so it lies beside the theme. Denied storage keeps it until the page is
 * closed.
 */
export class ModelSettings {
  private readonly here = new Map<string, string>();

  constructor(private readonly storage: SettingsStorage | undefined = browserStorage()) {}

  /** Id of the chosen model; undefined for recall only. */
  get chosen(): string | undefined {
    return this.read(CHOSEN);
  }

  set chosen(id: string | undefined) {
    this.write(CHOSEN, id);
  }

  /** Models that the person brought: files, addresses, endpoints. What can't be read is left out. */
  get own(): AnswerModel[] {
    try {
      const stored: unknown = JSON.parse(this.read(OWN) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isModel) : [];
    } catch {
      return [];
    }
  }

  set own(models: readonly AnswerModel[]) {
    this.write(OWN, models.length > 0 ? JSON.stringify(models) : undefined);
  }

  /** The key of an endpoint by its model's id, kept only where the person asked for it. */
  endpointKey(id: string): string | undefined {
    return this.keys[id];
  }

  keepEndpointKey(id: string, key: string | undefined): void {
    const { [id]: _, ...others } = this.keys;
    const keys = key === undefined ? others : { ...others, [id]: key };
    this.write(KEYS, Object.keys(keys).length > 0 ? JSON.stringify(keys) : undefined);
  }

  /** Whether the entry `name` of the storage is one of these settings. */
  owns(name: string): boolean {
    return [CHOSEN, OWN, KEYS].includes(name);
  }

  erase(): void {
    for (const name of [CHOSEN, OWN, KEYS]) this.write(name, undefined);
  }

  private get keys(): Readonly<Record<string, string>> {
    try {
      return JSON.parse(this.read(KEYS) ?? '{}') as Record<string, string>;
    } catch {
      return {};
    }
  }

  private read(name: string): string | undefined {
    try {
      return this.here.get(name) ?? this.storage?.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  }

  private write(name: string, value: string | undefined): void {
    this.here.delete(name);
    try {
      if (value === undefined) this.storage?.removeItem(name);
      else if (this.storage) this.storage.setItem(name, value);
      else this.here.set(name, value);
    } catch {
      if (value !== undefined) this.here.set(name, value);
    }
  }
}

function browserStorage(): SettingsStorage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Enough of a model to be listed: written by this class, but an older version may have. */
function isModel(value: unknown): value is AnswerModel {
  const { id, engine, title, source, needs } = (value ?? {}) as Partial<Record<keyof AnswerModel, unknown>>;
  return (
    typeof id === 'string' &&
    typeof title === 'string' &&
    (ENGINE_KINDS as readonly unknown[]).includes(engine) &&
    typeof source === 'object' &&
    source !== null &&
    typeof needs === 'object' &&
    needs !== null
  );
}
