package dev.hearth.embedded;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.storage.ApplicationStores;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes event logs, if {@code dev.hearth:hearth-event-log} is on the class path of the program. The subscriber in that
 * artifact is loaded by class name when a setting turns event logs on. Stateless.
 */
final class OptionalEventLog implements EventSubscriber {
    private static final String NAME = "dev.hearth.eventlog.internal.EventLogSubscriber";
    private static final String ENABLED = "hearth.eventLog.enabled";
    private static final String PAGES = "hearth.ui.enabled";

    @Override
    public void check(String name, Settings settings, ApplicationStores stores) {
        if (isOn(settings, PAGES)) {
            Warnings.LOG.warn(
                    "{}: true (expected: false, as hearth-embedded has no HTTP server); run the program with"
                            + " bin/submit to see its pages",
                    PAGES);
        }
        if (isOn(settings, ENABLED)) {
            eventLog().check(name, settings, stores);
        }
    }

    @Override
    public Optional<ApplicationListener> subscribe(
            String application, String name, Settings settings, ApplicationStores stores) {
        return isOn(settings, ENABLED) ? eventLog().subscribe(application, name, settings, stores) : Optional.empty();
    }

    @Override
    public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
        return isOn(settings, ENABLED) ? eventLog().subscribe(application, name, settings) : Optional.empty();
    }

    private static EventSubscriber eventLog() {
        return find(EventSubscriber.class)
                .orElseThrow(() -> ErrorCode.NO_PROVIDER.failure(ENABLED
                        + ": true, and no event log is on the class path (expected: dev.hearth:hearth-event-log); add that"
                        + " dependency, or leave the setting out"));
    }

    /** The declarations of the settings of the event log; empty if the event log is not on the class path. */
    static Optional<SettingsGroup> settings() {
        return find(SettingsGroup.class);
    }

    private static boolean isOn(Settings settings, String key) {
        return settings.find(key)
                .filter(value -> value.equalsIgnoreCase("true"))
                .isPresent();
    }

    private static <T> Optional<T> find(Class<T> type) {
        try {
            return Optional.of(Class.forName(NAME, true, OptionalEventLog.class.getClassLoader())
                    .asSubclass(type)
                    .getDeclaredConstructor()
                    .newInstance());
        } catch (ClassNotFoundException | NoClassDefFoundError absent) {
            return Optional.empty();
        } catch (ReflectiveOperationException | ClassCastException broken) {
            throw ErrorCode.START_FAILED.failure(
                    NAME + ": not created: " + broken + " (expected: hearth-event-log of the same release as"
                            + " hearth-embedded); give both the same version",
                    broken);
        }
    }

    /** Holder of the logger: a separate class, so that a start without warnings does not load the logging classes. */
    private static final class Warnings {
        private static final Logger LOG = LoggerFactory.getLogger(OptionalEventLog.class);
    }
}
