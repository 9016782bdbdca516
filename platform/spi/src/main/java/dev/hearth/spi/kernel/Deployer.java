package dev.hearth.spi.kernel;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Hot deployment: installs, updates and removes bundles as their files in the directory deploy/ change. Implemented by
 * the module kernel. Any thread may call.
 */
@ProviderType
public interface Deployer {
    /** Whether this process watches deploy/. If not, {@link #deploy} and {@link #undeploy} fail. */
    boolean isWatching();

    /** All versions of the deployed files whose bundles are not completely removed yet, in order of arrival. */
    List<Deployed> deployed();

    /** Copies {@code jar} atomically into deploy/ and returns its file name there. */
    String deploy(Path jar);

    /**
     * Removes the file named {@code file} from deploy/. The bundle of the file keeps running until its users finish or
     * the drain timeout expires.
     */
    void undeploy(String file);

    /** Runs {@code action} once every file that was in deploy/ at start-up either runs or is refused. */
    void whenSettled(Runnable action);

    /**
     * One version of one deployed file. {@code problem} says what is wrong and what to do; {@code heldBy} lists the
     * current users of its bundle.
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
     * State of one version of a deployed file. A new version runs or is refused. A replaced or removed version drains:
     * it waits until its users have finished, and then its bundle is removed.
     */
    enum State {
        /** The file is incomplete or was written recently; the deployer waits for further writes. */
        SETTLING,
        RUNNING,
        /** The file is not a bundle, is corrupt, or has a missing dependency. */
        REFUSED,
        /**
         * The version is older than the running version of the same bundle. It becomes active again when the running
         * version is removed.
         */
        SUPERSEDED,
        /** The bundle starts when one of the triggers in its manifest happens; the problem names them. */
        ON_DEMAND,
        /** The manifest names other roles than that of this process; the problem names them. */
        OTHER_ROLE,
        DRAINING,
        GONE
    }
}
