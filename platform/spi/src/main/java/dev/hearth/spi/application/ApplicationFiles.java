package dev.hearth.spi.application;

import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Makes resources for one application, such as a configuration file with the application's settings. A bundle that
 * lends packages registers one as a service. The kernel asks it in drivers and executors when an application opens that
 * takes packages from this bundle.
 */
@ConsumerType
@FunctionalInterface
public interface ApplicationFiles {
    /**
     * Returns files by the names of the resources under which the application finds them. The header {@code
     * Hearth-Application-Resources} of the bundle must list each name. The files must exist until the application ends
     * ({@link ApplicationEnd}). The call may block. A failure fails the start of the application.
     */
    Map<String, Path> files(String application, Settings settings);
}
