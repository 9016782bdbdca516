package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Files under the hash of their bytes, in one directory, bounded in bytes; survives the process. Any thread may call. */
@ProviderType
public interface ContentStore extends AutoCloseable {
    /** The file with this content; empty when it is not here. It stays until it is removed. */
    Optional<Path> find(ContentId content);

    /** Puts a copy of a file here. Fails with {@code STORE_FULL} when there is no room. */
    ContentId add(Path file) throws IOException;

    /**
     * Begins to put content of {@code size} bytes here, or goes on where an earlier attempt stopped. Reads what is there
     * already, and so may take its time. Fails with {@code STORE_FULL} when there is no room.
     */
    Incoming receive(ContentId content, long size) throws IOException;

    /** Removes content that nobody needs any more; what is not there is no mistake. */
    void remove(ContentId content) throws IOException;

    /** How many bytes are held, whole and in parts. */
    long bytesHeld();

    @Override
    void close();

    /** Content on its way in, used by one thread at a time. Closed before its end, it stays as a part to go on with. */
    @ProviderType
    interface Incoming extends AutoCloseable {
        /** How many bytes are here, from the first on. */
        long bytesHere();

        /** Adds the bytes that follow. */
        void write(ByteBuffer bytes) throws IOException;

        /** Checks the whole and lets it be found. Fails with {@code STREAM_DAMAGED} when it is not what it is called. */
        void finish() throws IOException;

        @Override
        void close();
    }
}
