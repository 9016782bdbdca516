package dev.hearth.engine.internal.aggregate;

import java.util.Iterator;

/** The pairs that were on disk, each once. Closing it gives back memory and files. */
interface SpilledPairs extends Iterator<Object>, AutoCloseable {
    @Override
    void close();
}
