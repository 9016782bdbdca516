package dev.hearth.engine.internal.executor;

/** Unwinds a killed attempt. Has no stack trace, because the place where the kill is noticed has no meaning. */
final class TaskKilled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TaskKilled(String reason) {
        super("task was killed: " + reason, null, false, false);
    }
}
