package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.ApplicationEnded;
import dev.hearth.api.event.ApplicationEvent.ApplicationStarted;
import dev.hearth.api.event.ApplicationEvent.EnvironmentKnown;
import dev.hearth.api.event.ApplicationEvent.ExecutorAdded;
import dev.hearth.api.event.ApplicationEvent.ExecutorDescribed;
import dev.hearth.api.event.ApplicationEvent.ExecutorExcluded;
import dev.hearth.api.event.ApplicationEvent.ExecutorLossExplained;
import dev.hearth.api.event.ApplicationEvent.ExecutorReadmitted;
import dev.hearth.api.event.ApplicationEvent.ExecutorRemoved;
import dev.hearth.api.event.ApplicationEvent.ExecutorsHindered;
import dev.hearth.api.event.ApplicationEvent.HostExcluded;
import dev.hearth.api.event.ApplicationEvent.HostReadmitted;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationEvent.JobStarted;
import dev.hearth.api.event.ApplicationEvent.ResourceProfileAdded;
import dev.hearth.api.event.ApplicationEvent.SpeculationSubmitted;
import dev.hearth.api.event.ApplicationEvent.StageCompleted;
import dev.hearth.api.event.ApplicationEvent.StageSubmitted;
import dev.hearth.api.event.ApplicationEvent.TaskEnded;
import dev.hearth.api.event.ApplicationEvent.TaskStarted;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ApplicationView;
import dev.hearth.spi.monitor.EnvironmentView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.ExecutorsAsked;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.ResourceProfileView;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Status of an application, built from its events. The events come from a listener thread while the application runs,
 * or later from an event log. Any thread may read; the lock of this object is held while a view is copied.
 * {@link StatusSettings} bounds the number of entries.
 */
public final class StatusStore implements ApplicationListener, ApplicationStatus {
    private final StatusSettings settings;
    private final Map<Class<?>, Consumer<ApplicationEvent>> handlers = new HashMap<>(); // never iterated
    private final ExecutorTable executors;
    private final TaskTable tasks;
    private final StageTable table;
    private ApplicationView application =
            new ApplicationView("", "", "", "", "", 0, OptionalLong.empty()); // placeholder until the start
    private EnvironmentView environment = EnvironmentView.UNKNOWN;
    private final List<ResourceProfileView> profiles = new ArrayList<>();
    private long newestMillis;
    private volatile Supplier<StorageView> storage = () -> StorageView.NOTHING;
    private volatile Supplier<Optional<ExecutorsAsked>> asked = Optional::empty;

    public StatusStore(StatusSettings settings) {
        this.settings = settings;
        this.executors = new ExecutorTable(settings.deadExecutors());
        this.tasks = new TaskTable(settings.tasks());
        this.table = new StageTable(settings, executors, tasks);
        handle(ApplicationStarted.class, this::started);
        handle(EnvironmentKnown.class, this::known);
        handle(ResourceProfileAdded.class, this::added);
        handle(ExecutorAdded.class, executors::added);
        handle(ExecutorDescribed.class, executors::described);
        handle(ExecutorRemoved.class, executors::removed);
        handle(ExecutorLossExplained.class, this::explained);
        handle(ExecutorsHindered.class, event -> application = application.hinderedBy(event.reason()));
        handle(ExecutorExcluded.class, executors::excluded);
        handle(HostExcluded.class, executors::excluded);
        handle(ExecutorReadmitted.class, executors::readmitted);
        handle(HostReadmitted.class, executors::readmitted);
        handle(JobStarted.class, table::jobStarted);
        handle(StageSubmitted.class, table::stageSubmitted);
        handle(TaskStarted.class, table::taskStarted);
        handle(TaskEnded.class, table::taskEnded);
        handle(TasksSummarised.class, table::summarised);
        handle(SpeculationSubmitted.class, event -> {}); // the speculative attempt appears with its start event
        handle(StageCompleted.class, table::stageCompleted);
        handle(JobEnded.class, table::jobEnded);
        handle(ApplicationEnded.class, this::ended);
    }

    @Override
    public synchronized void on(ApplicationEvent event) {
        newestMillis = Math.max(newestMillis, event.atMillis());
        Consumer<ApplicationEvent> handler = handlers.get(event.getClass());
        if (handler == null) {
            throw new IllegalArgumentException("event " + event.getClass() + " (expected: one that is handled)");
        }
        handler.accept(event);
    }

    @Override
    public boolean hearsTasks() {
        return settings.tasks() > 0;
    }

    @Override
    public synchronized ApplicationView application() {
        return application;
    }

    @Override
    public synchronized EnvironmentView environment() {
        return environment;
    }

    @Override
    public synchronized List<ResourceProfileView> resourceProfiles() {
        return List.copyOf(profiles);
    }

    @Override
    public synchronized List<JobView> jobs() {
        return table.jobs().values().stream().map(JobRecord::view).toList();
    }

    @Override
    public synchronized Optional<JobView> job(int id) {
        return Optional.ofNullable(table.jobs().get(id)).map(JobRecord::view);
    }

    @Override
    public synchronized List<StageView> stages() {
        List<StageView> views = new ArrayList<>();
        table.stages().forEach(stage -> views.add(stage.view()));
        return List.copyOf(views);
    }

    @Override
    public synchronized List<StageView> activeStages() {
        return table.active().stream().map(StageRecord::view).toList();
    }

    @Override
    public synchronized List<StageView> stage(int id) {
        return table.attempts(id).stream().map(StageRecord::view).toList();
    }

    @Override
    public synchronized Optional<StageView> stage(int id, int attempt) {
        return Optional.ofNullable(table.stage(id, attempt)).map(StageRecord::view);
    }

    /**
     * Returns the tasks of a stage attempt that match {@code query}. The run time of an active task is measured up to
     * the newest event that the store has received.
     */
    @Override
    public synchronized List<TaskView> tasks(int stage, int attempt, TaskQuery query) {
        StageRecord record = table.stage(stage, attempt);
        return record == null ? List.of() : tasks.tasks(record, query, newestMillis);
    }

    @Override
    public Optional<TaskDistribution> distribution(int stage, int attempt, List<Double> quantiles) {
        if (quantiles.stream().anyMatch(quantile -> !(quantile >= 0 && quantile <= 1))) {
            throw new IllegalArgumentException("quantiles: " + quantiles + " (expected: each from 0 to 1)");
        }
        long[] @Nullable [] values = values(stage, attempt);
        return values == null ? Optional.empty() : TaskTable.distribution(values, quantiles);
    }

    /**
     * Sets the source of snapshots of the cached blocks. Their status is not built from events, because it changes with
     * every block.
     */
    public void storage(Supplier<StorageView> source) {
        storage = source;
    }

    /** Sets the source of the executors that the application asks for; any thread calls it. */
    public void asked(Supplier<Optional<ExecutorsAsked>> source) {
        asked = source;
    }

    @Override
    public Optional<ExecutorsAsked> asked() {
        return asked.get();
    }

    @Override
    public StorageView storage() {
        return storage.get();
    }

    @Override
    public synchronized List<ExecutorView> executors() {
        return executors.views();
    }

    /** The number of ended tasks that the store retains now, of all stages. */
    synchronized int tasksKept() {
        return tasks.kept();
    }

    private synchronized long[] @Nullable [] values(int stage, int attempt) {
        StageRecord record = table.stage(stage, attempt);
        return record == null ? null : TaskTable.values(record);
    }

    private void started(ApplicationStarted event) {
        Optional<String> tracking = Optional.of(event.tracking()).filter(address -> !address.isEmpty());
        application = new ApplicationView(
                        event.application(),
                        event.name(),
                        event.user(),
                        event.master(),
                        event.attempt(),
                        event.atMillis(),
                        OptionalLong.empty())
                .with(new ApplicationLinks(tracking, event.driverLogs(), event.driverAttributes()));
    }

    private void known(EnvironmentKnown event) {
        environment = new EnvironmentView(event.settings(), event.system(), event.classPath());
    }

    private void added(ResourceProfileAdded event) {
        profiles.add(new ResourceProfileView(event.profile(), event.executorResources(), event.taskResources()));
    }

    private void explained(ExecutorLossExplained event) {
        executors.explained(event);
        tasks.explained(event);
    }

    private void ended(ApplicationEnded event) {
        application = application.endedAt(event.atMillis());
    }

    private <E extends ApplicationEvent> void handle(Class<E> type, Consumer<E> handler) {
        handlers.put(type, event -> handler.accept(type.cast(event)));
    }
}
