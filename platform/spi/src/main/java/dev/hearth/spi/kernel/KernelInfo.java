package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.osgi.annotation.versioning.ProviderType;

/** Role, version, installation directory and settings of this process. Implemented by the module kernel. */
@ProviderType
public interface KernelInfo {
    String role();

    String version();

    Path home();

    /**
     * Directory for temporary files of this process. It is removed when the process ends, or by a later start of this
     * user on the same machine if the process was killed.
     */
    default Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    Instant startedAt();

    /** Time from the start of the JVM until the kernel had found the role to run. */
    Duration startTook();

    /** Whether this process is ending, so that bundles which stop need not release what ends with the process. */
    default boolean isEnding() {
        return false;
    }

    /** Settings of the installation from which this process runs, each with its origin. */
    Settings settings();
}
