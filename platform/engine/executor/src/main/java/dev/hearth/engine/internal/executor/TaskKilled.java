package dev.hearth.engine.internal.executor;

/**
 * Thrown in the thread of a killed attempt to unwind its stack. Has no stack trace, because the point at which the
 * attempt notices its kill is arbitrary.
 */
final class TaskKilled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TaskKilled(String reason) {
        super("task was killed: " + reason, null, false, false);
    }
}
