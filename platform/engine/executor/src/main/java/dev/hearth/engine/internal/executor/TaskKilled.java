package dev.hearth.engine.internal.executor;

/** Unwinds an attempt that was told to end. Carries no stack: where it was noticed says nothing. */
final class TaskKilled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TaskKilled(String reason) {
        super("task was told to end: " + reason, null, false, false);
    }
}
