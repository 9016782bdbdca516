package dev.hearth.engine.internal.scheduler;

/** Identifier of one stage attempt and of its task set. */
public record TaskSetId(int stage, int attempt) {
    @Override
    public String toString() {
        return stage + "." + attempt;
    }
}
