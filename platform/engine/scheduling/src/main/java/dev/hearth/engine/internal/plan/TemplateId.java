package dev.hearth.engine.internal.plan;

/** The content hash of what the tasks of a stage share, by which executors in other processes know it. */
public record TemplateId(long high, long low) {
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
