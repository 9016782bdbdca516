package dev.hearth.spi.monitor;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Lists the applications whose driver runs in this process. Registered as a service; any thread may call. */
@ProviderType
@FunctionalInterface
public interface RunningApplications {
    /** Running applications, oldest first. */
    List<RunningApplication> running();
}
