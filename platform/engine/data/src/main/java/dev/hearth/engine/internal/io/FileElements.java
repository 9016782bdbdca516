package dev.hearth.engine.internal.io;

/** Elements of a file, as they are read. Owned by one thread. */
public interface FileElements extends AutoCloseable {
    /** The bytes that were read of the file so far, as they lie there. */
    long bytesRead();

    @Override
    void close();
}
