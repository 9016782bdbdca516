package dev.hearth.spi.application;

import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The bundles that one application has frozen for its executors. Their jars stay as they were then, whatever happens to the bundles,
 * until the set is closed. Any thread may call.
 */
@ProviderType
public interface BundleSet extends AutoCloseable {
    /** That of an application whose executors need no bundles but their own. */
    BundleSet NONE = new NoBundles();

    /** In the order in which they are to be started. */
    List<FrozenBundle> bundles();

    /** Where the jar of one of them lies; empty for any other content. */
    Optional<Path> jar(ContentId content);

    @Override
    void close();
}
