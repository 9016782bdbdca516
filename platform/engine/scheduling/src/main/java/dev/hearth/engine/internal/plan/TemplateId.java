package dev.hearth.engine.internal.plan;

/**
 * Content hash of a stage template: the pipeline, the number of tasks and the name, which all tasks of a stage share.
 * Executors in other processes cache templates under this hash. Immutable.
 */
public record TemplateId(long high, long low) {
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
