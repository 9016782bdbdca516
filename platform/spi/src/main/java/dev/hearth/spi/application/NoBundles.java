package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Bundle set without bundles, for applications whose executors need only those of their role. */
record NoBundles() implements BundleSet {
    @Override
    public List<FrozenBundle> bundles() {
        return List.of();
    }

    @Override
    public Optional<Path> jar(ContentId content) {
        return Optional.empty();
    }

    @Override
    public void close() {
        // nothing to release
    }
}
