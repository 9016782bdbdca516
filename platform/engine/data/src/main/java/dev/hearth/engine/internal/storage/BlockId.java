package dev.hearth.engine.internal.storage;

/** Identifies a block: one partition of a cached dataset. */
public record BlockId(int dataset, int partition) {
    @Override
    public String toString() {
        return "partition " + partition + " of cached dataset " + dataset;
    }
}
