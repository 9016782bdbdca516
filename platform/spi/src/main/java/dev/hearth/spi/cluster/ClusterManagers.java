package dev.hearth.spi.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** The cluster managers there are at this moment. */
@ProviderType
public interface ClusterManagers {
    /**
     * The newest manager for the scheme of {@code master}, pinned for {@code holder}, a name for people to read such as
     * {@code application pi}. {@code NO_MANAGER} names the schemes there are and what to add.
     */
    PinnedManager pin(MasterUrl master, String holder);
}
