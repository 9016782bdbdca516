package dev.hearth.eventlog.internal;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** Gives applications that want one a log of their events. */
@Component(service = EventSubscriber.class)
public final class EventLogs implements EventSubscriber {
    @Override
    public Optional<ApplicationListener> subscribe(String application, String name, Settings settings) {
        EventLogSettings read = EventLogSettings.from(settings);
        return read.enabled() ? Optional.of(EventLog.open(application, read, Ticker.system())) : Optional.empty();
    }
}
