package dev.hearth.engine.internal.scheduler;

/** Identity of one stage attempt, and so of its task set. */
public record TaskSetId(int stage, int attempt) {
    @Override
    public String toString() {
        return stage + "." + attempt;
    }
}
