package dev.hearth.shell.gogo;

import org.jspecify.annotations.Nullable;

/** Whether a shell was told to end, and how its thread learns of that. Any thread may ask. */
final class Stopping {
    private @Nullable Thread thread; // guarded by this
    private boolean asked; // guarded by this

    synchronized void begin(Thread owner) {
        thread = owner;
        if (asked) {
            owner.interrupt();
        }
    }

    synchronized void ask() {
        asked = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    synchronized boolean isAsked() {
        return asked;
    }
}
