package dev.hearth.spi.process;

import org.osgi.annotation.versioning.ProviderType;

/** Starts child processes, each a kernel in a role. A child ends when its parent ends. */
@ProviderType
public interface ProcessLauncher {
    /** Starts a process; fails with {@code START_FAILED}. */
    ChildProcess start(ChildSpec spec);
}
