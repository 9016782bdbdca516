package dev.hearth.status.monitor;

import dev.hearth.api.HearthException;
import dev.hearth.api.StatusTracker;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.time.Ticker;
import dev.hearth.status.events.EventBus;
import dev.hearth.status.events.EventSettings;
import dev.hearth.status.events.ExtraListeners;
import dev.hearth.status.progress.ProgressBar;
import dev.hearth.status.store.JobSummaryLog;
import dev.hearth.status.store.StatusSettings;
import dev.hearth.status.store.StatusStore;
import dev.hearth.status.store.StoreStatusTracker;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What shows one application, from the making of its driver to its end: the bus, the store behind it, progress, and those who
 * want to hear. The store and the summaries of jobs share a listener; every other one has its own thread.
 */
public final class ApplicationMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMonitor.class);

    private final EventBus bus;
    private final StatusStore store;
    private final StatusTracker tracker;
    private final Ticker ticker;
    private final StatusListener shown;

    /** Makes a bus and a store, and the listeners that the application names, of {@code classes}. */
    public ApplicationMonitor(String name, Settings settings, ClassLoader classes, Ticker ticker) {
        EventSettings events = EventSettings.from(settings);
        this.bus = new EventBus(name, events, ticker);
        this.store = new StatusStore(StatusSettings.from(settings));
        this.tracker = new StoreStatusTracker(store);
        this.ticker = ticker;
        this.shown = new StatusListener(store);
        bus.add("status", shown);
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

    /** What the application keeps is asked of {@code source}. */
    public void storage(Supplier<StorageView> source) {
        store.storage(source);
    }

    public StatusTracker tracker() {
        return tracker;
    }

    /**
     * The application begins: shows its progress at a terminal, and asks those who may want to hear of it; fails when one
     * refuses it. {@code listens} says whether the driver has a port. Without one, and without {@code hearth.ui.enabled},
     * nobody can ask for single tasks, and sums are kept of them, which cost a driver less.
     */
    public void subscribe(
            List<EventSubscriber> subscribers, String application, String name, Settings settings, boolean listens) {
        SettingsReader in = new SettingsReader(settings);
        shown.begin(listens || in.read(MonitorSettings.UI_ENABLED), ProgressBar.start(settings, store, ticker));
        in.finish();
        bus.ask();
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

    /** Takes the line of progress away, before a thread of the application goes on with what it waited for. */
    public void clearProgress() {
        shown.progress.ifPresent(ProgressBar::clear);
    }

    /** The store, the summaries of jobs after it, and the line of progress, which ends with them. */
    private static final class StatusListener implements ApplicationListener, AutoCloseable {
        private final StatusStore store;
        private final JobSummaryLog summaries;
        private volatile Optional<ProgressBar> progress = Optional.empty();
        private volatile boolean tasks;

        StatusListener(StatusStore store) {
            this.store = store;
            this.summaries = new JobSummaryLog(store);
        }

        void begin(boolean singleTasks, Optional<ProgressBar> bar) {
            tasks = singleTasks;
            progress = bar;
        }

        @Override
        public void on(ApplicationEvent event) {
            store.on(event);
            summaries.on(event);
        }

        @Override
        public boolean hearsTasks() {
            return tasks && store.hearsTasks();
        }

        @Override
        public void close() {
            progress.ifPresent(ProgressBar::close);
        }
    }
}
