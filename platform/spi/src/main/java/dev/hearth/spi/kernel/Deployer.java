package dev.hearth.spi.kernel;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Hot deployment: keeps the running bundles in step with the files in deploy/. Implemented by the kernel. Any thread
 * may call.
 */
@ProviderType
public interface Deployer {
    /** Whether this process watches deploy/. If not, {@link #deploy} and {@link #undeploy} fail. */
    boolean isWatching();

    /** All deployed versions of files whose bundles have not been removed completely yet, in order of arrival. */
    List<Deployed> deployed();

    /** Copies {@code jar} atomically into deploy/ and returns its file name there. */
    String deploy(Path jar);

    /** Removes a file from deploy/. Its bundle keeps running until its users finish or the drain timeout expires. */
    void undeploy(String file);

    /** Runs {@code action} once every file present at start-up has been processed. */
    void whenSettled(Runnable action);

    /**
     * One version of one file. {@code problem} says what is wrong and what to do; {@code heldBy} lists its current
     * users.
     */
    record Deployed(
            String file,
            String content,
            String name,
            String version,
            State state,
            String problem,
            List<String> heldBy) {
        public Deployed {
            heldBy = List.copyOf(heldBy);
        }
    }

    /**
     * State of one version of a deployed file. A new version runs or is refused. A replaced or removed version drains,
     * that is, waits for its users to finish, and is then gone.
     */
    enum State {
        /** Recently written or incomplete; the deployer waits for further writes. */
        SETTLING,
        RUNNING,
        /** Not a bundle, corrupt, or a dependency is missing. */
        REFUSED,
        /**
         * Older than the running version of the same bundle. It becomes active again when the running version is
         * removed.
         */
        SUPERSEDED,
        DRAINING,
        GONE
    }
}
