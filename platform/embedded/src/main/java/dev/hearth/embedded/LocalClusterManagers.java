package dev.hearth.embedded;

import dev.hearth.local.LocalManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.error.ErrorCode;

/**
 * The cluster managers of a program without a launcher: only {@code local}, which runs tasks in this process.
 * Immutable.
 */
final class LocalClusterManagers implements ClusterManagers {
    private static final String SCHEME = "local";

    /** One for the process, so that each of its applications has an id of its own. */
    private static final PinnedManager LOCAL = PinnedManager.forEver(new LocalManager());

    @Override
    public PinnedManager pin(MasterUrl master, String holder) {
        if (!master.scheme().equals(SCHEME)) {
            throw ErrorCode.NO_MANAGER.failure("master " + master + ": unknown to hearth-embedded (expected: local,"
                    + " local[N], local[*] or local[N,F]); for other masters start this program with bin/submit --master "
                    + master + ", which takes the same jar");
        }
        return LOCAL;
    }
}
