/** The look the person chose on this device; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'skein-theme';

export function currentTheme(): Theme {
  const stored = read();
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the stored theme; called before the first paint. */
export function applyTheme(theme: Theme = currentTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is denied: the choice holds until the page is closed.
  }
  applyTheme(theme);
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
