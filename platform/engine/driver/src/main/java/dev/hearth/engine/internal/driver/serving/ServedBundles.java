package dev.hearth.engine.internal.driver.serving;

import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Serves the application's bundles and their jars to executors in other processes. Serves no bundle before {@link
 * #freeze} is called; after that the set of bundles never changes. Frozen and closed on the driver's event loop; other
 * methods are thread-safe.
 */
public final class ServedBundles implements AutoCloseable {
    private final ApplicationLoader code;
    private volatile BundleSet frozen = BundleSet.NONE;

    public ServedBundles(ApplicationLoader code) {
        this.code = code;
    }

    /**
     * Fixes the set of bundles that executors receive: from now on it consists of the bundles, in their present
     * versions, that the application's executors need. Called once, before any executor can request a bundle.
     */
    void freeze() {
        frozen = code.freeze();
    }

    public List<FrozenBundle> bundles() {
        return frozen.bundles();
    }

    /**
     * The jar of the bundle whose content has the SHA-256 hash {@code hash}. Empty if no served bundle has this hash.
     */
    Optional<StreamContent> open(String hash) throws IOException {
        for (FrozenBundle bundle : frozen.bundles()) {
            ContentId content = bundle.content();
            Optional<Path> jar = content.sha256().equals(hash) ? frozen.jar(content) : Optional.empty();
            if (jar.isPresent()) {
                return StreamProvider.file(jar.get()).open("");
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        frozen.close();
    }
}
