package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
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

    /**
     * Applies the settings {@code hearth.log.*} among {@code given}, which rank above those with which the process has
     * started: level, levels of loggers, format and file. Fails with {@code BAD_SETTING}.
     */
    default void configure(Settings given) {
        // a process whose log others configure keeps it as it is
    }
}
