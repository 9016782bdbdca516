package dev.hearth.spi.stream;

import java.io.IOException;
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

    /** Removes content that nobody needs any more; what is not there is no mistake. */
    void remove(ContentId content) throws IOException;

    /** How many bytes are held, whole and in parts. */
    long bytesHeld();

    @Override
    void close();
}
