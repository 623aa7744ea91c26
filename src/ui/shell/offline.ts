import { TAKE_OVER } from '../../service-worker/take-over.ts';
import type { Session } from '../session.ts';

/** A tab can stay open for weeks; it asks for a new version when it is looked at again, and no oftener than this. */
const CHECK_EVERY = 60 * 60 * 1000;

/**
 * Registers the service worker, after which the site works without network, and tells of a new version. That
 * version waits until the person reloads: then every tab reloads, so that no page runs against other workers.
 */
export async function worksOffline(session: Session): Promise<void> {
  const { serviceWorker } = navigator;
  // Absent in an insecure context; in development it would keep old files.
  if (!serviceWorker || import.meta.env.DEV) return;
  reloadOnNewVersion(serviceWorker);
  const registration = await serviceWorker.register('./service-worker.js').catch(() => undefined);
  // Refused by the browser or by an extension: the site works as long as there is a network.
  if (!registration) return;
  const offer = () => offerNewVersion(registration, session);
  offer();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
  checkWhenLookedAt(registration);
}

function offerNewVersion({ waiting, active }: ServiceWorkerRegistration, session: Session): void {
  if (!waiting || !active) return;
  session.toast('A new version of Skein is ready.', {
    label: 'Reload',
    run: () => waiting.postMessage(TAKE_OVER),
    stays: true,
  });
}

function reloadOnNewVersion(serviceWorker: ServiceWorkerContainer): void {
  // Without a version in charge this is the first visit, and the one that takes charge is this page's own.
  let inCharge = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (inCharge) location.reload();
    inCharge = true;
  });
}

function checkWhenLookedAt(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_EVERY) return;
    checkedAt = Date.now();
    // Fails without a network; then there is nothing new to be had.
    registration.update().catch(() => {});
  });
}
