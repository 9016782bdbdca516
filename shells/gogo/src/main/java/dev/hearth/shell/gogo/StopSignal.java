package dev.hearth.shell.gogo;

import org.jspecify.annotations.Nullable;

/** Request to stop a shell, which interrupts the thread of the shell. Any thread may call. */
final class StopSignal {
    private @Nullable Thread thread; // guarded by this
    private boolean requested; // guarded by this

    synchronized void begin(Thread owner) {
        thread = owner;
        if (requested) {
            owner.interrupt();
        }
    }

    synchronized void request() {
        requested = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    synchronized boolean isRequested() {
        return requested;
    }
}
