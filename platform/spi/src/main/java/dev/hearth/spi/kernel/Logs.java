package dev.hearth.spi.kernel;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** What is written to the log, while the process runs. */
@ProviderType
public interface Logs {
    /** Levels that were set, by logger; the root is {@code ROOT}. */
    Map<String, String> levels();

    /** Sets the level of a logger and all below it: TRACE, DEBUG, INFO, WARN, ERROR, OFF, or an empty text to inherit again. */
    void setLevel(String logger, String level);
}
