package dev.hearth.engine.internal.scheduler;

/** One attempt at one stage. */
public record TaskSetId(int stage, int attempt) {
    @Override
    public String toString() {
        return stage + "." + attempt;
    }
}
