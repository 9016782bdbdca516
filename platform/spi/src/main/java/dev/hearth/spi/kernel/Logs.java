package dev.hearth.spi.kernel;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** Log levels of this process. Implemented by the module kernel. Any thread may call. */
@ProviderType
public interface Logs {
    /**
     * Levels that are set explicitly, by logger name; other loggers inherit theirs. The root logger is named {@code
     * ROOT}.
     */
    Map<String, String> levels();

    /**
     * Sets the level of a logger and its children: TRACE, DEBUG, INFO, WARN, ERROR or OFF. An empty level removes the
     * explicit level, so that the logger inherits its parent's.
     */
    void setLevel(String logger, String level);
}
