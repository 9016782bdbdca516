package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Opens stores of content; a service. */
@ProviderType
public interface ContentStores {
    /**
     * Opens the store in {@code directory}, made when it is not there, with what it held before. It takes {@code bytesMax}
     * bytes at most, parts included. Fails with {@code DISK_FAILED} while somebody else has it open.
     */
    ContentStore open(Path directory, long bytesMax) throws IOException;
}
