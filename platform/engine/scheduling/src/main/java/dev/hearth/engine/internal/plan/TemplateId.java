package dev.hearth.engine.internal.plan;

/**
 * Content hash of the part of a stage that its tasks share. Executors in other processes cache stages under it.
 * Immutable.
 */
public record TemplateId(long high, long low) {
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
