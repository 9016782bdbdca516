package dev.hearth.spi.process;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts child processes, each of which runs a Hearth kernel in one role, such as {@code executor}. A child ends when
 * its parent ends.
 */
@ProviderType
public interface ProcessLauncher {
    /** Starts a process; fails with {@code START_FAILED}. */
    ChildProcess start(ChildSpec spec);
}
