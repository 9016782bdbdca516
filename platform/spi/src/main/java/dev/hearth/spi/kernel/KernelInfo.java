package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.osgi.annotation.versioning.ProviderType;

/** This process, as people ask about it. */
@ProviderType
public interface KernelInfo {
    String role();

    String version();

    Path home();

    Instant startedAt();

    /** From the start of the JVM until the role's work was found. */
    Duration startTook();

    /** The settings of the installation, each with its origin. */
    Settings settings();
}
