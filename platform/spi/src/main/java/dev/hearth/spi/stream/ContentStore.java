package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Persistent store of files in one directory, addressed by their content hash, with a size limit. Any thread may call.
 */
@ProviderType
public interface ContentStore extends AutoCloseable {
    /**
     * File whose content hash is {@code content}; empty if the store has none. The file remains until {@link #remove}
     * deletes it.
     */
    Optional<Path> find(ContentId content);

    /** Complete files of the store with their sizes, in the order of their last change. Waits for disks. */
    List<HeldContent> contents() throws IOException;

    /** Complete file of a store. */
    record HeldContent(ContentId content, long bytes) {}

    /**
     * Adds a copy of {@code file} and returns its content hash. Fails with {@code STORE_FULL} if the store would exceed
     * its size limit.
     */
    ContentId add(Path file) throws IOException;

    /**
     * Starts to receive content of {@code size} bytes, or resumes an interrupted upload. Hashes the bytes already
     * stored, which may take long. Fails with {@code STORE_FULL} if the store would exceed its size limit.
     */
    Incoming receive(ContentId content, long size) throws IOException;

    /** Deletes the file whose content hash is {@code content}; does nothing if the store has no such file. */
    void remove(ContentId content) throws IOException;

    /** Number of bytes of an interrupted upload of {@code content} that {@link #receive} would resume; 0 if there is none. */
    default long bytesLeft(ContentId content) throws IOException {
        return 0;
    }

    /** Deletes the partial uploads that no writer has continued since {@code before}. */
    void removePartial(Instant before) throws IOException;

    /** Total size in bytes of all stored files, including partial uploads. */
    long bytesHeld();

    @Override
    void close();

    /**
     * Upload in progress, used by one thread at a time. If it is closed before {@link #finish}, the bytes received so
     * far are kept, so that a later upload of the same content resumes after them.
     */
    @ProviderType
    interface Incoming extends AutoCloseable {
        /** Number of bytes stored so far, those of earlier interrupted uploads of the same content included. */
        long bytesHere();

        /** Appends {@code bytes} to the bytes received so far. */
        void write(ByteBuffer bytes) throws IOException;

        /**
         * Verifies the hash of the received bytes and adds the content to the store. Fails with {@code STREAM_DAMAGED}
         * if the content is corrupt.
         */
        void finish() throws IOException;

        @Override
        void close();
    }
}
