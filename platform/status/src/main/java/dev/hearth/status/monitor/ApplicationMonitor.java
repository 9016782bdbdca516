package dev.hearth.status.monitor;

import dev.hearth.api.HearthException;
import dev.hearth.api.StatusTracker;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.monitor.ExecutorsAsked;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.storage.ApplicationStores;
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
 * The parts that monitor one application, as long as its driver exists: the event bus, the status store, the progress
 * bar, and the listeners. The store and the job summaries share one listener thread; every other listener has its own.
 */
public final class ApplicationMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMonitor.class);

    private final EventBus bus;
    private final StatusStore store;
    private final StatusTracker tracker;
    private final Ticker ticker;
    private final StatusListener shown;

    /**
     * Creates the bus, the store, and the listeners that the settings of the application name; {@code classes} loads
     * their classes.
     */
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

    /** Sets the source of snapshots of the cached blocks, which status pages show. */
    public void storage(Supplier<StorageView> source) {
        store.storage(source);
    }

    /** Sets the source of the executors that the application asks for; any thread calls it. */
    public void asked(Supplier<Optional<ExecutorsAsked>> source) {
        store.asked(source);
    }

    public StatusTracker tracker() {
        return tracker;
    }

    /**
     * Starts the progress bar and adds the listeners of {@code subscribers}, which are services of installed bundles.
     * Fails if a subscriber refuses the application. {@code remoteExecutors} says whether executors run in other
     * processes. Without remote executors, and without {@code hearth.ui.enabled}, the store records only sums of tasks
     * instead of each task, which costs the driver less.
     */
    public void subscribe(
            List<EventSubscriber> subscribers,
            String application,
            String name,
            Settings settings,
            boolean remoteExecutors,
            ApplicationStores stores) {
        SettingsReader in = new SettingsReader(settings);
        shown.begin(remoteExecutors || in.read(MonitorSettings.UI_ENABLED), ProgressBar.start(settings, store, ticker));
        in.finish();
        bus.refreshInterest();
        for (EventSubscriber subscriber : subscribers) {
            String subscriberName = subscriber.getClass().getSimpleName();
            try {
                subscriber
                        .subscribe(application, name, settings, stores)
                        .ifPresent(listener -> bus.add(listener.getClass().getSimpleName(), listener));
            } catch (HearthException refused) {
                throw refused;
            } catch (RuntimeException | LinkageError failure) { // the application runs without this listener
                LOG.error("application {}: {} gets no events", name, subscriberName, failure);
            }
        }
    }

    /**
     * Removes the progress line from the terminal, if the progress bar shows one. Called after a job, so that the
     * application can write to the terminal.
     */
    public void clearProgress() {
        shown.progress.ifPresent(ProgressBar::clear);
    }

    /** Listener that passes each event to the store and then to the log of job summaries. Owns the progress bar. */
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
