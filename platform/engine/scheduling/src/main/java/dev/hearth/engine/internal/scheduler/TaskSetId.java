package dev.hearth.engine.internal.scheduler;

/** Identifier of one stage attempt and of the task set with the tasks of that attempt. */
public record TaskSetId(int stage, int attempt) {
    @Override
    public String toString() {
        return stage + "." + attempt;
    }
}
