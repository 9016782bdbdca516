package dev.hearth.spi.process;

import org.osgi.annotation.versioning.ProviderType;

/** Starts further processes of this platform, each a kernel in a role. A child ends when its parent does. */
@ProviderType
public interface ProcessLauncher {
    /** Starts a process; fails with {@code START_FAILED} when the machine refuses. */
    ChildProcess start(ChildSpec spec);
}
