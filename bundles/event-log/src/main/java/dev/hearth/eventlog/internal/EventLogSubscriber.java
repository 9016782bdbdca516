package dev.hearth.eventlog.internal;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.time.Ticker;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * Creates an event log for each application whose settings enable it. The JSON library is loaded only for such
 * applications.
 */
@Component(service = {EventSubscriber.class, SettingsGroup.class})
public final class EventLogSubscriber implements EventSubscriber, SettingsGroup {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.eventLog.enabled", false, "Whether the events of an application are written to a log file.");

    @Override
    public void check(String name, Settings settings, ApplicationStores stores) {
        if (isEnabled(settings)) {
            EventLogWriter.check(EventLogSettings.from(settings), stores);
        }
    }

    @Override
    public Optional<ApplicationListener> subscribe(
            String application, String name, Settings settings, ApplicationStores stores) {
        return isEnabled(settings)
                ? Optional.of(new EventLogWriter(application, EventLogSettings.from(settings), stores, Ticker.system()))
                : Optional.empty();
    }

    @Override
    public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
        throw ErrorCode.INTERNAL.failure("event log of application " + application
                + ": subscribed without file stores (expected: by an engine that passes them)");
    }

    private static boolean isEnabled(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        boolean enabled = in.read(ENABLED);
        in.finish();
        return enabled;
    }

    @Override
    public String owner() {
        return "event-log";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return EventLogSettings.KEYS;
    }
}
