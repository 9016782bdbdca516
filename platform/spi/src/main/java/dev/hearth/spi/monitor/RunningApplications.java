package dev.hearth.spi.monitor;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Applications whose driver runs in this process. A service; any thread may call. */
@ProviderType
@FunctionalInterface
public interface RunningApplications {
    /** Running applications, oldest first. */
    List<RunningApplication> running();
}
