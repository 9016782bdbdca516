package dev.hearth.spi.cluster;

import org.osgi.annotation.versioning.ProviderType;

/** Registry of the cluster managers that are currently available. Implemented by the module kernel. */
@ProviderType
public interface ClusterManagers {
    /**
     * Pins the newest manager for the scheme of {@code master}: it stays available until the pin is closed.
     * {@code holder} is the display name of the pin's owner, such as {@code application pi}. Fails with
     * {@code NO_MANAGER}, listing the available schemes.
     */
    PinnedManager pin(MasterUrl master, String holder);
}
