package dev.hearth.spi.storage;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The file stores that one application uses in one process. Each store is opened at its first use and closed when the
 * application ends. Implemented by the engine. Thread-safe; not for event loops, because opening a store may block.
 */
@ProviderType
public interface ApplicationStores {
    /**
     * Parses the name of a file as users write it: a URI, or a local path, which may be relative to the working
     * directory. Fails with {@code BAD_ARGUMENT} if it is neither.
     */
    FileName name(String text);

    /**
     * Returns the store of the files with the scheme of {@code file}. If there is none, the call waits for one up to
     * {@code hearth.deploy.providerWait} and then fails with {@code NO_PROVIDER}. Callers look the store up for each
     * use, because a store whose bundle was removed is replaced by one of the next bundle.
     */
    FileStore of(FileName file);
}
