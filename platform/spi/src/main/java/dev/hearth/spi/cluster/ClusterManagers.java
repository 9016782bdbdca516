package dev.hearth.spi.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** The cluster managers there are at this moment. */
@ProviderType
public interface ClusterManagers {
    /** The newest manager for the scheme of {@code master}; {@code NO_MANAGER} names those there are and what to add. */
    ClusterManager manager(MasterUrl master);
}
