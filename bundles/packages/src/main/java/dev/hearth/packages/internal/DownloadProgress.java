package dev.hearth.packages.internal;

import dev.hearth.spi.packages.PackageListener;
import java.util.LinkedHashSet;
import java.util.Set;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferCancelledException;
import org.eclipse.aether.transfer.TransferEvent;

/**
 * Reports downloads, and ends them when the resolution is to end. Called on several threads; guarded by its own lock.
 */
final class DownloadProgress extends AbstractTransferListener {
    private final PackageListener listener;
    private final Set<String> running = new LinkedHashSet<>(); // guarded by this
    private int known; // guarded by this
    private int done; // guarded by this
    private boolean stopped; // guarded by this

    DownloadProgress(PackageListener listener) {
        this.listener = listener;
    }

    /** Ends running downloads at their next bytes, and refuses others. */
    synchronized void stop() {
        stopped = true;
    }

    /** Reports the end of all downloads. */
    synchronized void finish() {
        if (known > 0) {
            listener.progressed("", 0, known, known);
        }
    }

    @Override
    public synchronized void transferInitiated(TransferEvent event) throws TransferCancelledException {
        requireRunning();
        if (running.add(event.getResource().getResourceName())) {
            known++;
        }
    }

    @Override
    public synchronized void transferStarted(TransferEvent event) throws TransferCancelledException {
        report(event);
    }

    @Override
    public synchronized void transferProgressed(TransferEvent event) throws TransferCancelledException {
        report(event);
    }

    private void report(TransferEvent event) throws TransferCancelledException {
        requireRunning();
        String path = event.getResource().getResourceName();
        listener.progressed(path.substring(path.lastIndexOf('/') + 1), event.getTransferredBytes(), done, known);
    }

    @Override
    public synchronized void transferSucceeded(TransferEvent event) {
        end(event);
    }

    @Override
    public synchronized void transferFailed(TransferEvent event) {
        end(event);
    }

    private void end(TransferEvent event) {
        if (running.remove(event.getResource().getResourceName())) {
            done++;
        }
    }

    private void requireRunning() throws TransferCancelledException {
        if (stopped) {
            throw new TransferCancelledException("the application is stopped");
        }
    }
}
