package dev.hearth.spi.storage;

import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.osgi.annotation.versioning.ProviderType;

/** Registry of the factories of file stores that are currently available. Implemented by the module kernel. */
@ProviderType
public interface FileStoreRegistry {
    /**
     * Pins the newest factory for a scheme: it stays available until the pin is closed. {@code holder} is the display
     * name of the pin's owner, such as {@code application pi}. Fails with {@code NO_PROVIDER}, listing the available
     * schemes.
     */
    PinnedStores pin(String scheme, String holder);

    /** The first {@link FileStores#home} that a factory names. Empty if paths without a scheme are local. May block. */
    default Optional<FileName> home(StoreContext context) {
        return Optional.empty();
    }

    /**
     * A registry for processes without an OSGi framework. {@code stores} supplies the factories each time one is
     * needed, for example by {@link java.util.ServiceLoader}. A factory serves its {@link FileStores#schemes}.
     */
    static FileStoreRegistry of(Supplier<? extends Iterable<FileStores>> stores) {
        return new FileStoreRegistry() {
            @Override
            public PinnedStores pin(String scheme, String holder) {
                TreeSet<String> known = new TreeSet<>();
                for (String wanted : List.of(scheme, FileStores.ANY)) {
                    for (FileStores candidate : stores.get()) {
                        known.addAll(candidate.schemes());
                        if (candidate.schemes().contains(wanted)) {
                            return PinnedStores.forEver(candidate);
                        }
                    }
                }
                throw missing(scheme, known, "put a library that provides one on the class path");
            }

            @Override
            public Optional<FileName> home(StoreContext context) {
                for (FileStores candidate : stores.get()) {
                    Optional<FileName> named = candidate.home(context);
                    if (named.isPresent()) {
                        return named;
                    }
                }
                return Optional.empty();
            }
        };
    }

    /** The failure for a scheme without a factory. {@code advice} says what users can do. */
    static RuntimeException missing(String scheme, Iterable<String> known, String advice) {
        TreeSet<String> schemes = new TreeSet<>();
        schemes.add(FileName.LOCAL);
        known.forEach(schemes::add);
        return ErrorCode.NO_PROVIDER.failure("file store for scheme '" + scheme + "': not installed (expected: one of "
                + schemes + "); check the scheme, or " + advice);
    }
}
