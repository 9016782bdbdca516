package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Bundle versions that one application has frozen, that is, fixed for all its executors. The set holds copies of the
 * bundles' jars until it is closed, so later updates of the bundles do not affect the application. Any thread may call.
 */
@ProviderType
public interface BundleSet extends AutoCloseable {
    /** The empty set, for an application whose executors need no bundles beyond those of their role. */
    BundleSet NONE = new NoBundles();

    /** The frozen bundles, in the order in which executors start them. */
    List<FrozenBundle> bundles();

    /** Path of the jar in this set whose content hash is {@code content}; empty if there is none. */
    Optional<Path> jar(ContentId content);

    @Override
    void close();
}
