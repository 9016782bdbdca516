package dev.hearth.spi.monitor;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The applications whose driver runs in this process. A service; any thread may call. */
@ProviderType
@FunctionalInterface
public interface RunningApplications {
    /** Those that are open now, oldest first. */
    List<RunningApplication> running();
}
