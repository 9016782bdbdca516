package dev.hearth.engine.internal.io;

/** Reader of the elements of one input file, such as the lines of a text file. Owned by one thread. */
public interface FileElements extends AutoCloseable {
    /** Number of bytes read from the file so far, before decompression; for metrics. */
    long bytesRead();

    @Override
    void close();
}
