package dev.hearth.engine.internal.driver;

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
 * The bundles of an application for executors in other processes, and their jars: none until they are frozen, the same ever after.
 * Frozen and closed on the driver's loop; any thread may read.
 */
final class ServedBundles implements AutoCloseable {
    private final ApplicationLoader code;
    private volatile BundleSet frozen = BundleSet.NONE;

    ServedBundles(ApplicationLoader code) {
        this.code = code;
    }

    /** Fixes them as they are now; once, before the first executor can ask. */
    void freeze() {
        frozen = code.freeze();
    }

    List<FrozenBundle> bundles() {
        return frozen.bundles();
    }

    /** The jar of one of them, by its hash. */
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
