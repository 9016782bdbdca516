package dev.hearth.engine.internal.io;

/** Reader of the elements of a file. Owned by one thread. */
public interface FileElements extends AutoCloseable {
    /** Bytes read from the file so far, before decompression. */
    long bytesRead();

    @Override
    void close();
}
