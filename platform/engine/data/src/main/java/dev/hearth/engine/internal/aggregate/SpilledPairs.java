package dev.hearth.engine.internal.aggregate;

import java.util.Iterator;

/**
 * Iterates once over the aggregated pairs that were merged from spilled runs (sorted spill files). Closing it releases
 * memory and files.
 */
interface SpilledPairs extends Iterator<Object>, AutoCloseable {
    @Override
    void close();
}
