package dev.hearth.engine.internal.driver;

import dev.hearth.api.accumulator.Accumulation;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleSum;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.status.monitor.ApplicationMonitor;
import dev.hearth.status.monitor.OpenApplications;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What the driver tells of its application: from its start, through what happens on its loop, to its end. Owned by the loop. */
final class Monitoring implements SchedulerShell.TaskEventSink {
    /** How long listeners may take for what they have not heard yet when the application ends. */
    private static final Duration FLUSH_BOUND = Duration.ofSeconds(5);

    private final DriverSetup setup;
    private final SharedVariables shared;
    private final EventLoop loop;
    private final ApplicationMonitor monitor;
    private final long openedMillis;
    private final CompletableFuture<Void> heard = new CompletableFuture<>();
    private OpenApplications.@Nullable Registration shown;

    Monitoring(DriverSetup setup, SharedVariables shared) {
        this.setup = setup;
        this.shared = shared;
        this.loop = setup.loop();
        this.openedMillis = loop.ticker().wall().toEpochMilli();
        this.monitor = new ApplicationMonitor(
                setup.name(), setup.settings(), setup.code().classes(), loop.ticker());
    }

    /** The application has its id: who wants to hear of it is asked, and told of the start. Fails when one refuses it. */
    void opened(ApplicationId application, Driver driver) {
        monitor.subscribe(setup.subscribers(), application.value(), setup.name(), setup.settings(), driver.listens());
        shown = setup.shown().open(new RunningDriver(driver));
        tell(at -> new ApplicationEvent.ApplicationStarted(
                at, application.value(), setup.name(), user(), setup.master().text(), ""));
        tell(at -> new ApplicationEvent.EnvironmentKnown(
                at,
                shown(setup.settings().values()),
                system(),
                setup.code().jars().stream().map(Object::toString).toList()));
    }

    /** Ends the telling, with a last event. Listeners have a bounded time to come to it. */
    void close() {
        if (shown != null) {
            shown.close();
        }
        tell(ApplicationEvent.ApplicationEnded::new);
        EventLoop.Timeout bound = loop.schedule(FLUSH_BOUND, monitor.bus()::abandon);
        CompletionStage<Void> told = monitor.bus().closing();
        told.whenComplete((nothing, failure) -> {
            bound.cancel();
            heard.complete(null);
        });
    }

    /** Completes when all listeners have heard the end, or had their time. */
    CompletionStage<Void> heard() {
        return heard;
    }

    @Override
    public boolean wantsTasks() {
        return monitor.bus().wantsTasks();
    }

    @Override
    public void ended(long atMillis, TaskInfo task, TaskEnd end) {
        monitor.bus()
                .publish(new ApplicationEvent.TaskEnded(
                        atMillis, task, end.outcome(), end.failure().text(), end.metrics(), shown(end)));
    }

    @Override
    public void countStarted(long atMillis, LaunchBatch batch) {
        monitor.bus().countStarted(atMillis, batch.stage(), batch.stageAttempt(), batch.size());
    }

    @Override
    public void countEnded(long atMillis, TaskInfo task, TaskEnd end) {
        monitor.bus().countEnded(atMillis, task.stage(), task.stageAttempt(), end.outcome(), end.metrics());
    }

    /** What the task added to named sums of ours; the user's own kinds run no code here. */
    private Map<String, String> shown(TaskEnd end) {
        if (end.accumulated().isEmpty()) {
            return Map.of();
        }
        Map<String, String> shown = new LinkedHashMap<>();
        for (AccumulatorUpdate part : end.accumulated()) {
            if (part.part() instanceof TaskResult.Shared given && given.value() instanceof Accumulation<?, ?> sum) {
                shared.accumulator(part.accumulator())
                        .map(Accumulator::name)
                        .filter(name -> !name.isEmpty() && (sum instanceof LongSum || sum instanceof DoubleSum))
                        .ifPresent(name -> shown.put(name, String.valueOf(sum.value())));
            }
        }
        return shown;
    }

    void tell(LongFunction<ApplicationEvent> event) {
        monitor.bus().publish(event.apply(loop.ticker().wall().toEpochMilli()));
    }

    ApplicationMonitor monitor() {
        return monitor;
    }

    /** When the application was opened, by the wall clock. */
    long openedMillis() {
        return openedMillis;
    }

    /** Whose process this is. */
    static String user() {
        return System.getProperty("user.name", "");
    }

    private static Map<String, String> shown(Map<String, String> values) {
        Map<String, String> shown = new LinkedHashMap<>();
        values.forEach((key, value) -> shown.put(key, Secrets.shown(key, value)));
        return shown;
    }

    private static Map<String, String> system() {
        Map<String, String> all = new TreeMap<>();
        System.getProperties().stringPropertyNames().forEach(key -> all.put(key, System.getProperty(key, "")));
        return shown(all);
    }
}
