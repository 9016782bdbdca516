package dev.hearth.spi.storage;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The file stores that one application uses in one process. Each store is opened at its first use and closed when the
 * application ends. Implemented by the engine. Thread-safe; not for event loops, because opening a store may block.
 */
@ProviderType
public interface ApplicationStores {
    /**
     * Parses the name of an input, an output or a checkpoint as users write it: a URI, or a path, which may be relative
     * to {@link #home}. Fails with {@code BAD_ARGUMENT} if it is neither. May block at its first call.
     */
    FileName name(String text);

    /**
     * The directory to which paths without a scheme are relative: that of {@link FileStores#home}, otherwise the working
     * directory of this process.
     */
    default FileName home() {
        return FileName.resolve("");
    }

    /** The text that {@link #name} parses to {@code file}: a path for a local one, unless such paths mean others. */
    default String text(FileName file) {
        return file.isLocal() && !home().isLocal() ? file.uri() : file.toString();
    }

    /**
     * Returns the store of the files with the scheme of {@code file}. If there is none, the call waits for one up to
     * {@code hearth.deploy.providerWait} and then fails with {@code NO_PROVIDER}. Callers look the store up for each
     * use, because a store whose bundle was removed is replaced by one of the next bundle.
     */
    FileStore of(FileName file);
}
