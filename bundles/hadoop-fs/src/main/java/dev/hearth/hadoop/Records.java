package dev.hearth.hadoop;

import java.io.Closeable;
import java.io.IOException;

/** The records of one split, as a reader of Hadoop gives them: both objects may be filled again by the next record. */
interface Records<K, V> extends Closeable {
    /** Reads the next record; false at the end. */
    boolean next() throws IOException, InterruptedException;

    K key() throws IOException, InterruptedException;

    V value() throws IOException, InterruptedException;
}
