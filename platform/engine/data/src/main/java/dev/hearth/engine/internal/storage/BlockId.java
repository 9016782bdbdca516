package dev.hearth.engine.internal.storage;

/** One partition of a kept dataset. */
public record BlockId(int dataset, int partition) {
    @Override
    public String toString() {
        return "partition " + partition + " of kept dataset " + dataset;
    }
}
