package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.engine.internal.driver.serving.SharedVariables;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.MonitorSettings;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.status.events.EventBus;
import dev.hearth.status.monitor.ApplicationMonitor;
import dev.hearth.status.monitor.OpenApplications;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the events of an application from its start to its end. Also adds the application to the list of open
 * applications of this process. Owned by the driver's event loop.
 */
public final class Monitoring implements SchedulerShell.TaskEventSink {
    /**
     * Time for which listeners may process their pending events after the end of the application; then they are
     * abandoned.
     */
    private static final Duration FLUSH_BOUND = Duration.ofSeconds(5);

    private static final Logger ADDRESS = LoggerFactory.getLogger(MonitorSettings.ADDRESS_LOGGER);

    private final DriverSetup setup;
    private final SharedVariables shared;
    private final EventLoop loop;
    private final ApplicationMonitor monitor;
    private final EventBus events;
    private final long openedMillis;
    private final CompletableFuture<Void> flushed = new CompletableFuture<>();
    private OpenApplications.@Nullable Registration shown;

    Monitoring(DriverSetup setup, SharedVariables shared, ApplicationMonitor monitor) {
        this.setup = setup;
        this.shared = shared;
        this.loop = setup.loop();
        this.openedMillis = loop.ticker().wall().toEpochMilli();
        this.monitor = monitor;
        this.events = monitor.bus();
    }

    /**
     * Publishes the start of the application, once its id is known. Before that, subscribes the listeners that bundles
     * provide; fails if one of them refuses the application. {@code address} is where the driver listens, empty if its
     * executors run in its own process. {@code attempt} and {@code links} are those of the cluster.
     */
    void opened(
            ApplicationId application,
            RunningApplication running,
            Optional<RpcAddress> address,
            Optional<String> attempt,
            ApplicationLinks links) {
        monitor.subscribe(
                setup.subscribers(),
                application.value(),
                setup.name(),
                setup.settings(),
                address.isPresent(),
                setup.stores());
        shown = setup.shown().open(running);
        address.ifPresentOrElse(
                listening -> ADDRESS.info(
                        "application {}: its driver is at {}, where a shell may connect", application, listening),
                () -> ADDRESS.debug(
                        "application {}: driver and tasks share this process; with {}=true it has a port, where a"
                                + " shell may connect",
                        application,
                        MonitorSettings.UI_ENABLED.name()));
        Map<String, String> settings = new LinkedHashMap<>(setup.settings().values());
        settings.putAll(known(Optional.of(application), address));
        events.publishNow(at -> new ApplicationEvent.ApplicationStarted(
                at,
                application.value(),
                setup.name(),
                user(),
                setup.master().text(),
                attempt.orElse(""),
                links.tracking().orElse(""),
                links.driverLogs(),
                links.driverAttributes()));
        events.publishNow(at -> new ApplicationEvent.EnvironmentKnown(
                at,
                redacted(settings),
                system(),
                setup.code().jars().stream().map(Object::toString).toList()));
    }

    /** Publishes a resource profile that the application has added. Any thread may call. */
    void profileAdded(int id, ResourceProfile profile) {
        loop.execute(() -> events.publishNow(at -> new ApplicationEvent.ResourceProfileAdded(
                at,
                id,
                List.copyOf(profile.executorResources().values()),
                List.copyOf(profile.taskResources().values()))));
    }

    /**
     * Settings that the driver itself decides: ids of the {@code application} and of the driver, the time of its start,
     * and the {@code address} at which it listens.
     */
    Map<String, String> known(Optional<ApplicationId> application, Optional<RpcAddress> address) {
        Map<String, String> known = new LinkedHashMap<>();
        known.put("hearth.executor.id", "driver");
        known.put("hearth.app.startTime", String.valueOf(openedMillis()));
        application.ifPresent(id -> known.put("hearth.app.id", id.value()));
        address.ifPresent(listening -> {
            known.put("hearth.driver.host", listening.host());
            known.put("hearth.driver.port", String.valueOf(listening.port()));
        });
        return known;
    }

    /**
     * Publishes the end of the application as the last event and closes the event bus. Listeners have a bounded time to
     * process their pending events.
     */
    void close() {
        if (shown != null) {
            shown.close();
        }
        events.publishNow(ApplicationEvent.ApplicationEnded::new);
        EventLoop.Timeout bound = loop.schedule(FLUSH_BOUND, events::abandon);
        CompletionStage<Void> closed = events.closing();
        closed.whenComplete((nothing, failure) -> {
            bound.cancel();
            flushed.complete(null);
        });
    }

    /**
     * Completes once every listener has processed the last event of the application, or has exceeded the time allowed
     * for it at the end.
     */
    public CompletionStage<Void> flushed() {
        return flushed;
    }

    @Override
    public boolean wantsTasks() {
        return events.wantsTasks();
    }

    @Override
    public void taskEnded(long atMillis, TaskInfo task, TaskEnd end) {
        events.publish(new ApplicationEvent.TaskEnded(
                atMillis, task, end.outcome(), end.failure().text(), end.metrics(), accumulated(end)));
    }

    @Override
    public void countStarted(long atMillis, TaskSetId set, int tasks) {
        events.countStarted(atMillis, set.stage(), set.attempt(), tasks);
    }

    @Override
    public void countEnded(long atMillis, TaskInfo task, TaskEnd end) {
        events.countEnded(atMillis, task.stage(), task.stageAttempt(), end.outcome(), end.metrics());
    }

    /**
     * A task's updates of named built-in accumulators, as text. User-defined accumulators are left out, because their
     * code must not run on the driver's event loop.
     */
    private Map<String, String> accumulated(TaskEnd end) {
        if (end.accumulated().isEmpty()) {
            return Map.of();
        }
        Map<String, String> shown = new LinkedHashMap<>();
        for (AccumulatorUpdate part : end.accumulated()) {
            if (part.part() instanceof TaskResult.Shared update && update.value() instanceof Accumulation<?, ?> sum) {
                shared.accumulator(part.accumulator())
                        .map(Accumulator::name)
                        .filter(name -> !name.isEmpty() && (sum instanceof LongSum || sum instanceof DoubleSum))
                        .ifPresent(name -> shown.put(name, String.valueOf(sum.value())));
            }
        }
        return shown;
    }

    /** The wall-clock time in milliseconds at which the application was opened. */
    public long openedMillis() {
        return openedMillis;
    }

    /** The operating-system user that runs this process. */
    public static String user() {
        return System.getProperty("user.name", "");
    }

    private static Map<String, String> redacted(Map<String, String> values) {
        Map<String, String> shown = new LinkedHashMap<>();
        values.forEach((key, value) -> shown.put(key, Secrets.shown(key, value)));
        return shown;
    }

    private static Map<String, String> system() {
        Map<String, String> all = new TreeMap<>();
        System.getProperties().stringPropertyNames().forEach(key -> all.put(key, System.getProperty(key, "")));
        return redacted(all);
    }
}
