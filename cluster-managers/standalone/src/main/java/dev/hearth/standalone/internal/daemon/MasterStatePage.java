package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DriverEntry;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.time.Ticker;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * State of a standalone cluster at {@code /json} of its master, in the form of Spark's, which programs parse. {@code
 * /json/FIELD} is one field of it, and {@code /json/clusterutilization} a summary. Any thread may call.
 */
final class MasterStatePage implements HttpHandler {
    static final String PREFIX = "/json";
    private static final DateTimeFormatter DATE = // as Java's Date prints it, and so Spark
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss 'UTC' yyyy", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int OK = 200;
    private static final int PERCENT = 100;

    private final String url;
    private final String scheme;
    private final ClusterView view;
    private final Ticker ticker;
    private final Supplier<String> status;

    /** {@code scheme} is that of the pages of workers. {@code status} returns the state of the master, which any thread may ask for. */
    MasterStatePage(String url, String scheme, ClusterView view, Ticker ticker, Supplier<String> status) {
        this.status = status;
        this.url = url;
        this.scheme = scheme;
        this.view = view;
        this.ticker = ticker;
    }

    /** Workers, applications and drivers of the cluster. */
    private record State(List<WorkerEntry> workers, List<ApplicationEntry> applications, List<DriverEntry> drivers) {
        List<WorkerEntry> alive() {
            return workers.stream()
                    .filter(worker -> worker.state() == WorkerEntry.State.ALIVE)
                    .toList();
        }
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return CompletableFuture.completedStage(
                    HttpAnswer.text(METHOD_NOT_ALLOWED, request.method() + ": not possible here (expected: GET)")
                            .with("Allow", "GET, HEAD"));
        }
        return state().thenApply(state ->
                HttpAnswer.json(OK, json(state, request.rest()) + "\n").with("Cache-Control", "no-store"));
    }

    @Override
    public String description() {
        return "state of the cluster " + url + ", in the form of Spark's master";
    }

    private CompletionStage<State> state() {
        return view.workers()
                .thenCombine(
                        view.applications(),
                        (workers, applications) -> new State(workers.entries(), applications.entries(), List.of()))
                .thenCombine(
                        view.drivers(),
                        (state, drivers) -> new State(state.workers(), state.applications(), drivers.entries()));
    }

    private JsonBuilder json(State state, String field) {
        return switch (field) {
            case "" -> whole(state);
            case "clusterutilization" -> utilization(state);
            default -> whole(state).only(field);
        };
    }

    private JsonBuilder whole(State state) {
        List<WorkerEntry> alive = state.alive();
        return new JsonBuilder()
                .text("url", url)
                .array("workers", state.workers().stream().map(this::worker).toList())
                .number("aliveworkers", alive.size())
                .number("cores", cores(alive, WorkerEntry::cores))
                .number("coresused", cores(alive, WorkerEntry::coresUsed))
                .number("memory", memory(alive, WorkerEntry::memoryMebibytes))
                .number("memoryused", memory(alive, WorkerEntry::memoryUsedMebibytes))
                .array("resources", resources(alive, WorkerEntry::resources))
                .array("resourcesused", resources(alive, WorkerEntry::resourcesUsed))
                .array(
                        "activeapps",
                        applications(state, application -> !application.state().isFinal()))
                .array(
                        "completedapps",
                        applications(state, application -> application.state().isFinal()))
                .array("activedrivers", drivers(state, driver -> !driver.state().isFinal()))
                .array(
                        "completeddrivers",
                        drivers(state, driver -> driver.state().isFinal()))
                .text("status", status.get());
    }

    private static JsonBuilder utilization(State state) {
        List<WorkerEntry> alive = state.alive();
        long cores = cores(alive, WorkerEntry::cores);
        long coresUsed = cores(alive, WorkerEntry::coresUsed);
        long memory = memory(alive, WorkerEntry::memoryMebibytes);
        long memoryUsed = memory(alive, WorkerEntry::memoryUsedMebibytes);
        return new JsonBuilder()
                .number(
                        "waitingDrivers",
                        state.drivers().stream()
                                .filter(driver -> driver.state() == SubmissionState.SUBMITTED)
                                .count())
                .number("cores", cores)
                .number("coresused", coresUsed)
                .number("coresutilization", cores == 0 ? PERCENT : PERCENT * coresUsed / cores)
                .number("memory", memory)
                .number("memoryused", memoryUsed)
                .number("memoryutilization", memory == 0 ? PERCENT : PERCENT * memoryUsed / memory);
    }

    private JsonBuilder worker(WorkerEntry worker) {
        int cores = worker.cores().orElse(0);
        int coresUsed = worker.coresUsed().orElse(0);
        long memory = worker.memoryMebibytes().orElse(0);
        long memoryUsed = worker.memoryUsedMebibytes().orElse(0);
        return new JsonBuilder()
                .text("id", worker.id())
                .text("host", worker.host())
                .number("port", worker.port())
                .text("webuiaddress", scheme + "://" + worker.address())
                .number("cores", cores)
                .number("coresused", coresUsed)
                .number("coresfree", cores - coresUsed)
                .number("memory", memory)
                .number("memoryused", memoryUsed)
                .number("memoryfree", memory - memoryUsed)
                .object("resources", resources(worker.resources()))
                .object("resourcesused", resources(worker.resourcesUsed()))
                .object("resourcesfree", resources(free(worker)))
                .text("state", worker.state().name())
                .number(
                        "lastheartbeat",
                        ticker.wall().toEpochMilli()
                                - worker.heartbeatAgeMillis().orElse(0));
    }

    private static List<ResourceInformation> free(WorkerEntry worker) {
        return worker.resources().stream()
                .map(resource -> new ResourceInformation(
                        resource.name(),
                        resource.addresses().stream()
                                .filter(address -> worker.resourcesUsed().stream()
                                        .noneMatch(used -> used.name().equals(resource.name())
                                                && used.addresses().contains(address)))
                                .toList()))
                .toList();
    }

    private static List<JsonBuilder> applications(State state, Predicate<ApplicationEntry> chosen) {
        return state.applications().stream()
                .filter(chosen)
                .map(application -> new JsonBuilder()
                        .text("id", application.id().value())
                        .number("starttime", application.submittedMillis().orElse(0))
                        .text("name", application.name())
                        .number("cores", application.cores().orElse(0))
                        .text("user", application.user())
                        .number(
                                "memoryperexecutor",
                                application.memoryPerExecutorMebibytes().orElse(0))
                        .number(
                                "memoryperslave",
                                application.memoryPerExecutorMebibytes().orElse(0))
                        .text("submitdate", date(application.submittedMillis()))
                        .text("state", application.state().name())
                        .number("duration", application.durationMillis().orElse(0)))
                .toList();
    }

    private static List<JsonBuilder> drivers(State state, Predicate<DriverEntry> chosen) {
        return state.drivers().stream()
                .filter(chosen)
                .map(driver -> new JsonBuilder()
                        .text("id", driver.id().value())
                        .text(
                                "starttime",
                                String.valueOf(driver.submittedMillis().orElse(0)))
                        .text("state", driver.state().name())
                        .number("cores", driver.cores().orElse(0))
                        .number("memory", driver.memoryMebibytes().orElse(0))
                        .text("submitdate", date(driver.submittedMillis()))
                        .text("worker", driver.worker().isEmpty() ? "None" : driver.worker())
                        .text("mainclass", driver.mainClass()))
                .toList();
    }

    private static JsonBuilder resources(List<ResourceInformation> resources) {
        JsonBuilder named = new JsonBuilder();
        resources.forEach(resource -> named.object(
                resource.name(),
                new JsonBuilder().text("name", resource.name()).texts("addresses", resource.addresses())));
        return named;
    }

    private static List<JsonBuilder> resources(
            List<WorkerEntry> workers, Function<WorkerEntry, List<ResourceInformation>> part) {
        return workers.stream().map(worker -> resources(part.apply(worker))).toList();
    }

    private static long cores(List<WorkerEntry> workers, Function<WorkerEntry, OptionalInt> part) {
        ToIntFunction<WorkerEntry> number = worker -> part.apply(worker).orElse(0);
        return workers.stream().mapToInt(number).sum();
    }

    private static long memory(List<WorkerEntry> workers, Function<WorkerEntry, OptionalLong> part) {
        ToLongFunction<WorkerEntry> number = worker -> part.apply(worker).orElse(0);
        return workers.stream().mapToLong(number).sum();
    }

    private static String date(OptionalLong millis) {
        return DATE.format(Instant.ofEpochMilli(millis.orElse(0)));
    }
}
