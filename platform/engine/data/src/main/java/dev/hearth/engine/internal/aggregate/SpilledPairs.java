package dev.hearth.engine.internal.aggregate;

import java.util.Iterator;

/** Iterates over aggregated pairs that were spilled, each once. Closing it releases memory and files. */
interface SpilledPairs extends Iterator<Object>, AutoCloseable {
    @Override
    void close();
}
