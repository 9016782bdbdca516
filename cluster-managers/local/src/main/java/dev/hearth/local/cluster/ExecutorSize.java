package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;

/** Cores and heap of an executor process of a local cluster. Immutable. */
record ExecutorSize(int cores, int memoryMebibytes) {
    /** The size of executors of {@code profile}; {@code settings} have that of the default profile. */
    static ExecutorSize of(ExecutorProfile profile, LocalClusterSettings settings) {
        return profile.id().equals(ProfileId.DEFAULT)
                ? new ExecutorSize(settings.cores(), settings.memoryMebibytes())
                : new ExecutorSize(
                        profile.cores().orElse(settings.cores()),
                        profile.memory().heapMebibytes());
    }

    /** Whether an executor of this size fits into what the master URL gives to each. */
    boolean fits(LocalClusterUrl url) {
        return cores <= url.cores() && memoryMebibytes <= url.memoryMebibytes();
    }
}
