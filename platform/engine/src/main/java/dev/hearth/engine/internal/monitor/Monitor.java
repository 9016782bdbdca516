package dev.hearth.engine.internal.monitor;

import dev.hearth.api.HearthException;
import dev.hearth.api.StatusTracker;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.engine.internal.events.EventBus;
import dev.hearth.engine.internal.events.EventSettings;
import dev.hearth.engine.internal.events.ExtraListeners;
import dev.hearth.engine.internal.status.JobSummaries;
import dev.hearth.engine.internal.status.StatusQuestions;
import dev.hearth.engine.internal.status.StatusSettings;
import dev.hearth.engine.internal.status.StatusStore;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.time.Ticker;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What shows one application, from the making of its driver to its end: the bus, the store behind it, and those who want to
 * hear. The store and the summaries of jobs share a listener; every other one has its own thread.
 */
public final class Monitor {
    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

    private final EventBus bus;
    private final StatusStore store;
    private final StatusTracker tracker;

    /**
     * Makes a bus and a store, and the listeners that the application names, of {@code classes}. {@code listens} says whether
     * the driver has a port. Without one, and without {@code hearth.ui.enabled}, nobody can ask for single tasks, and sums are
     * kept, which cost a driver less.
     */
    public Monitor(String name, Settings settings, ClassLoader classes, Ticker ticker, boolean listens) {
        EventSettings events = EventSettings.from(settings);
        StatusSettings kept = StatusSettings.from(settings);
        SettingsReader in = new SettingsReader(settings);
        boolean singleTasks = in.read(MonitorSettings.UI_ENABLED) || listens;
        in.finish();
        this.bus = new EventBus(name, events, ticker);
        this.store = new StatusStore(singleTasks ? kept : kept.withoutTasks());
        this.tracker = new StatusQuestions(store);
        bus.add("status", new Both(store, new JobSummaries(store)));
        if (!events.listeners().isEmpty()) {
            List<ApplicationListener> extra = ExtraListeners.load(events.listeners(), classes, settings.values());
            for (ApplicationListener listener : extra) {
                bus.add(listener.getClass().getSimpleName(), listener);
            }
        }
    }

    public EventBus bus() {
        return bus;
    }

    public ApplicationStatus status() {
        return store;
    }

    public StatusTracker tracker() {
        return tracker;
    }

    /** Asks those who may want to hear of the application, before its first event; fails when one refuses it. */
    public void subscribe(List<EventSubscriber> subscribers, String application, String name, Settings settings) {
        for (EventSubscriber subscriber : subscribers) {
            String who = subscriber.getClass().getSimpleName();
            try {
                subscriber
                        .subscribe(application, name, settings)
                        .ifPresent(listener -> bus.add(listener.getClass().getSimpleName(), listener));
            } catch (HearthException refused) {
                throw refused;
            } catch (RuntimeException | LinkageError failure) { // of a bundle: the application goes on without
                LOG.error("application {}: {} does not hear of it", name, who, failure);
            }
        }
    }

    /** Tells the second after the first. */
    private record Both(StatusStore first, ApplicationListener second) implements ApplicationListener {
        @Override
        public void on(ApplicationEvent event) {
            first.on(event);
            second.on(event);
        }

        @Override
        public boolean hearsTasks() {
            return first.hearsTasks();
        }
    }
}
