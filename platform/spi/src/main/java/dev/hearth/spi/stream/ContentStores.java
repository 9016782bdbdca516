package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Opens content stores. Registered as a service by the module rpc. */
@ProviderType
public interface ContentStores {
    /**
     * Opens the store in {@code directory}, which is created if missing. {@code bytesMax} limits the total size of its
     * files, partial uploads included. Fails with {@code DISK_FAILED} if another process has the store open.
     */
    ContentStore open(Path directory, long bytesMax) throws IOException;
}
