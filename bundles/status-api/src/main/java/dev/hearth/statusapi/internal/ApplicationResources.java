package dev.hearth.statusapi.internal;

import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.CachedDatasetView;
import dev.hearth.spi.monitor.EnvironmentView;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.StageView;
import dev.hearth.spi.monitor.StorageView;
import dev.hearth.spi.monitor.TaskDistribution;
import dev.hearth.spi.monitor.TaskQuery;
import dev.hearth.spi.monitor.TaskView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Answers requests for the resources of one application in the REST API. Created for each request. */
final class ApplicationResources {
    private static final String QUANTILES = "0.05,0.25,0.5,0.75,0.95";
    private static final int TASKS_DEFAULT = 20;

    private final ApplicationStatus status;
    private final QueryParameters parameters;

    ApplicationResources(ApplicationStatus status, QueryParameters parameters) {
        this.status = status;
        this.parameters = parameters;
    }

    /** Returns the resource at {@code path}; empty if the path is unknown. */
    Optional<JsonBody> body(List<String> path) {
        List<String> below = path.subList(1, path.size());
        return switch (path.get(0)) {
            case "jobs" -> jobs(below);
            case "stages" -> stages(below);
            case "executors" ->
                below.isEmpty() ? executors(view -> view.removedMillis().isEmpty()) : Optional.empty();
            case "allexecutors" -> below.isEmpty() ? executors(view -> true) : Optional.empty();
            case "allmiscellaneousprocess" -> below.isEmpty() ? none() : Optional.empty();
            case "environment" -> below.isEmpty() ? environment() : Optional.empty();
            case "storage" -> storage(below);
            default -> Optional.empty();
        };
    }

    private Optional<JsonBody> jobs(List<String> below) {
        if (below.size() > 1) {
            return Optional.empty();
        }
        if (below.isEmpty()) {
            List<String> wanted = parameters.words("status", "RUNNING", "SUCCEEDED", "FAILED", "UNKNOWN");
            List<JobView> found = newestFirst(
                    status.jobs(),
                    job -> wanted.isEmpty() || wanted.contains(job.state().name()));
            return Optional.of(JsonBody.array(found, ApplicationJson::job));
        }
        String id = below.get(0);
        JobView job = number(id)
                .flatMap(status::job)
                .orElseThrow(() -> RequestRefusedException.notFound("unknown job: " + id));
        return Optional.of(out -> ApplicationJson.job(job, out));
    }

    private Optional<JsonBody> stages(List<String> below) {
        if (below.isEmpty()) {
            List<String> wanted = parameters.words("status", "ACTIVE", "COMPLETE", "FAILED", "PENDING", "SKIPPED");
            List<StageView> found = newestFirst(
                    status.stages(),
                    stage -> wanted.isEmpty() || wanted.contains(stage.state().name()));
            return Optional.of(list(found));
        }
        String id = below.get(0);
        List<StageView> attempts = number(id).map(status::stage).orElse(List.of());
        if (attempts.isEmpty()) {
            throw RequestRefusedException.notFound("unknown stage: " + id);
        }
        if (below.size() == 1) {
            return Optional.of(list(attempts));
        }
        StageView stage = attempts.stream()
                .filter(each -> String.valueOf(each.attempt()).equals(below.get(1)))
                .findFirst()
                .orElseThrow(() ->
                        RequestRefusedException.notFound("unknown attempt for stage " + id + ".  Found attempts: "
                                + attempts.stream()
                                        .map(each -> String.valueOf(each.attempt()))
                                        .collect(Collectors.joining(",", "[", "]"))));
        if (below.size() == 2) {
            StageJson.Details details =
                    details(stage, parameters.text("details").isEmpty());
            return Optional.of(out -> StageJson.stage(stage, details, out));
        }
        return below.size() > 3 ? Optional.empty() : tasks(stage, below.get(2));
    }

    private Optional<JsonBody> tasks(StageView stage, String what) {
        switch (what) {
            case "taskSummary" -> {
                TaskDistribution spread = status.distribution(
                                stage.id(), stage.attempt(), parameters.quantiles(QUANTILES))
                        .orElseThrow(() -> RequestRefusedException.notFound(
                                "No tasks reported metrics for " + stage.id() + " / " + stage.attempt() + " yet."));
                return Optional.of(out -> StageJson.summary(spread, out));
            }
            case "taskList" -> {
                TaskQuery query = new TaskQuery(
                        parameters.whole("offset", 0),
                        parameters.whole("length", TASKS_DEFAULT),
                        order(),
                        taskStates("status"));
                List<TaskView> found = status.tasks(stage.id(), stage.attempt(), query);
                Map<String, Map<String, String>> logs = logs();
                return Optional.of(JsonBody.array(found, (task, out) -> StageJson.task(task, logs, out)));
            }
            default -> {
                return Optional.empty();
            }
        }
    }

    private JsonBody list(List<StageView> stages) {
        return out -> {
            out.writeStartArray();
            for (StageView stage : stages) {
                StageJson.stage(stage, details(stage, parameters.flag("details")), out);
            }
            out.writeEndArray();
        };
    }

    private StageJson.Details details(StageView stage, boolean whole) {
        boolean summaries = parameters.flag("withSummaries");
        if (!whole && !summaries) {
            return StageJson.Details.NONE;
        }
        TaskQuery query = new TaskQuery(0, Integer.MAX_VALUE, TaskQuery.Order.ID, taskStates("taskStatus"));
        return new StageJson.Details(
                whole ? Optional.of(status.tasks(stage.id(), stage.attempt(), query)) : Optional.empty(),
                summaries
                        ? status.distribution(stage.id(), stage.attempt(), parameters.quantiles(QUANTILES))
                        : Optional.empty(),
                status.executors().stream()
                        .filter(executor -> executor.excludedStages().contains(stage.id()))
                        .map(ExecutorView::id)
                        .collect(Collectors.toUnmodifiableSet()),
                logs());
    }

    /** The addresses of the logs of all executors, by executor. */
    private Map<String, Map<String, String>> logs() {
        return status.executors().stream()
                .filter(executor -> !executor.logs().isEmpty())
                .collect(Collectors.toUnmodifiableMap(ExecutorView::id, ExecutorView::logs, (one, other) -> other));
    }

    private Set<TaskQuery.State> taskStates(String parameter) {
        return parameters.words(parameter, "RUNNING", "SUCCESS", "FAILED", "KILLED").stream()
                .map(StageJson::state)
                .collect(Collectors.toUnmodifiableSet());
    }

    private TaskQuery.Order order() {
        List<String> words = parameters.words(
                "sortBy", "ID", "INCREASING_RUNTIME", "DECREASING_RUNTIME", "RUNTIME", "+RUNTIME", "-RUNTIME");
        return switch (words.isEmpty() ? "ID" : words.get(0)) {
            case "INCREASING_RUNTIME", "RUNTIME", "+RUNTIME" -> TaskQuery.Order.INCREASING_RUNTIME;
            case "DECREASING_RUNTIME", "-RUNTIME" -> TaskQuery.Order.DECREASING_RUNTIME;
            default -> TaskQuery.Order.ID;
        };
    }

    private Optional<JsonBody> executors(Predicate<ExecutorView> wanted) {
        List<ExecutorView> found = status.executors().stream().filter(wanted).toList();
        StorageView storage = status.storage();
        return Optional.of(JsonBody.array(found, (executor, out) -> ApplicationJson.executor(executor, storage, out)));
    }

    private Optional<JsonBody> environment() {
        EnvironmentView environment = status.environment();
        return Optional.of(out -> ApplicationJson.environment(environment, status.resourceProfiles(), out));
    }

    private Optional<JsonBody> storage(List<String> below) {
        if (below.isEmpty() || !below.get(0).equals("rdd") || below.size() > 2) {
            return Optional.empty();
        }
        StorageView storage = status.storage();
        List<CachedDatasetView> found = storage.datasets().stream()
                .filter(dataset -> !dataset.blocks().isEmpty())
                .toList();
        if (below.size() == 1) {
            return Optional.of(JsonBody.array(found, StorageJson::summary));
        }
        CachedDatasetView dataset = found.stream()
                .filter(each -> Integer.toString(each.id()).equals(below.get(1)))
                .findFirst()
                .orElseThrow(() -> RequestRefusedException.notFound("no rdd found w/ id " + below.get(1)));
        return Optional.of(out -> StorageJson.dataset(dataset, storage, status.executors(), out));
    }

    private static Optional<JsonBody> none() {
        return Optional.of(JsonBody.array(List.of(), (nothing, out) -> {}));
    }

    private static <T> List<T> newestFirst(List<T> views, Predicate<T> wanted) {
        List<T> found = new ArrayList<>(views.stream().filter(wanted).toList());
        Collections.reverse(found);
        return found;
    }

    private static Optional<Integer> number(String text) {
        try {
            return Optional.of(Integer.parseInt(text));
        } catch (NumberFormatException noNumber) { // an id that is not a number cannot name a job, stage or dataset
            return Optional.empty();
        }
    }
}
