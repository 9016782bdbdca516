package dev.hearth.spi.shuffle;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.rpc.Secret;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Shuffle service of one worker. It serves the map outputs of executors that have ended. Called on its event loop. */
@ProviderType
public interface ShuffleService extends AutoCloseable {
    /**
     * Opens the directories of an application, unless they are open, and returns the orders of its next executor. {@code
     * driver} is the URI of the driver's endpoint, which distinguishes lives of one application. Readers prove {@code
     * secret}. Fails with {@code DISK_FAILED} if the directories cannot be created.
     */
    ShuffleServiceOrders admit(ApplicationId application, String driver, Optional<Secret> secret);

    /** Ends the service of all applications. Their files stay for the next service of this host. */
    @Override
    void close();
}
