package dev.hearth.spi.storage;

import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Factory of the file stores of one kind of storage, registered as a service. The engine finds it by the property
 * {@link #SCHEME} when an application first uses a file with such a scheme.
 */
@ConsumerType
public interface FileStores {
    /**
     * Service property with the URI schemes of the files, as {@code String} or {@code String[]}, in lower case.
     * {@link #ANY} serves all schemes for which no other service is registered.
     */
    String SCHEME = "hearth.file-store.scheme";

    /** Value of {@link #SCHEME} for all schemes that no other service serves. */
    String ANY = "*";

    /** Service property of a factory whose {@link #home} may name a directory: {@code Boolean.TRUE}. */
    String HOME = "hearth.file-store.home";

    /**
     * Opens the store of the files with this scheme for one application in this process. The engine calls it at most
     * once for each application and scheme, at the first use, and closes the store when the application ends. A
     * {@link dev.hearth.api.HearthException} fails the operation that needs the store.
     */
    FileStore open(String scheme, StoreContext context);

    /**
     * The directory to which paths without a scheme are relative, if the configuration of this storage names one for the
     * application. Absolute paths are then in the storage of that directory. The engine asks at most once for each
     * application.
     */
    default Optional<FileName> home(StoreContext context) {
        return Optional.empty();
    }

    /**
     * The schemes, as in {@link #SCHEME}, for processes without an OSGi framework. These find factories with
     * {@link java.util.ServiceLoader}, which has no service properties.
     */
    default Set<String> schemes() {
        return Set.of();
    }
}
