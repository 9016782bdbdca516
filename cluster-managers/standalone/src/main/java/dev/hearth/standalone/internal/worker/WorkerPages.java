package dev.hearth.standalone.internal.worker;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.OutputName;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Pages of a worker in the form of Spark's, which programs read: its state at {@code /json}, and outputs of drivers and
 * executors at {@code /log} as text and at {@code /logPage} for browsers. Any thread may call.
 */
public final class WorkerPages implements HttpHandler {
    /** Paths at which to serve a handler of this class. */
    public static final List<String> PREFIXES = List.of("/json", "/log", "/logPage");

    private static final int LENGTH_DEFAULT = 100 * 1024;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final Supplier<CompletionStage<WorkerShell.View>> views;
    private final Outputs outputs;

    public WorkerPages(WorkerShell worker) {
        this(worker::view, worker::output);
    }

    WorkerPages(Supplier<CompletionStage<WorkerShell.View>> views, Outputs outputs) {
        this.views = views;
        this.outputs = outputs;
    }

    /** Outputs of the processes of a worker. */
    @FunctionalInterface
    interface Outputs {
        CompletionStage<Optional<OutputBytes.Part>> read(
                LogSource source, OutputName output, OptionalLong offset, int length);
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return CompletableFuture.completedStage(
                    HttpAnswer.text(METHOD_NOT_ALLOWED, request.method() + ": not possible here (expected: GET)\n")
                            .with("Allow", "GET, HEAD"));
        }
        return request.prefix().equals(PREFIXES.get(0)) ? state(request) : log(request);
    }

    @Override
    public String description() {
        return "state of this worker at /json, and outputs at /log and /logPage, in the form of Spark's worker";
    }

    private CompletionStage<HttpAnswer> state(HttpRequest request) {
        return views.get().thenApply(view -> {
            JsonBuilder whole = json(view);
            JsonBuilder shown = request.rest().isEmpty() ? whole : whole.only(request.rest());
            return HttpAnswer.json(OK, shown + "\n").with("Cache-Control", "no-store");
        });
    }

    static JsonBuilder json(WorkerShell.View view) {
        WorkerRoster.Listing listing = view.listing();
        List<WorkerRoster.Item> executors = only(listing.running(), true);
        List<WorkerRoster.Item> drivers = only(listing.running(), false);
        String master = view.master();
        return new JsonBuilder()
                .text("id", view.spec().id())
                .text("masterurl", master.isEmpty() ? "" : "hearth://" + master)
                .text("masterwebuiurl", master.isEmpty() ? "" : view.scheme() + "://" + master)
                .number("cores", view.spec().cores())
                .number("coresused", sum(listing, WorkerRoster.Item::cores))
                .number("memory", view.spec().memoryMebibytes())
                .number("memoryused", sum(listing, WorkerRoster.Item::memoryMebibytes))
                .object("resources", resources(view.spec().resources()))
                .object(
                        "resourcesused",
                        resources(listing.running().stream()
                                .flatMap(item -> item.resources().stream())
                                .toList()))
                .array(
                        "executors",
                        executors.stream().map(WorkerPages::executor).toList())
                .array(
                        "finishedexecutors",
                        listing.endedExecutors().stream()
                                .map(WorkerPages::executor)
                                .toList())
                .array("drivers", drivers.stream().map(WorkerPages::driver).toList())
                .array(
                        "finisheddrivers",
                        listing.endedDrivers().stream().map(WorkerPages::driver).toList())
                .text("state", view.state());
    }

    private static List<WorkerRoster.Item> only(List<WorkerRoster.Item> items, boolean ofApplications) {
        return items.stream()
                .filter(item -> item.source().application().isPresent() == ofApplications)
                .toList();
    }

    private static long sum(WorkerRoster.Listing listing, ToIntFunction<WorkerRoster.Item> part) {
        return listing.running().stream().mapToInt(part).sum();
    }

    private static JsonBuilder executor(WorkerRoster.Item item) {
        String application =
                item.source().application().map(ApplicationId::value).orElse("");
        return ended(
                new JsonBuilder()
                        .text("id", item.source().process())
                        .number("memory", item.memoryMebibytes())
                        .object("resources", resources(item.resources()))
                        .text("appid", application)
                        .object(
                                "appdesc",
                                new JsonBuilder()
                                        .text("name", item.what())
                                        .number("cores", item.cores())
                                        .number("memoryperexecutor", item.memoryMebibytes())
                                        .number("memoryperslave", item.memoryMebibytes())),
                item);
    }

    private static JsonBuilder driver(WorkerRoster.Item item) {
        return ended(
                new JsonBuilder()
                        .text("id", item.source().process())
                        .number("cores", item.cores())
                        .number("memory", item.memoryMebibytes())
                        .object("resources", resources(item.resources()))
                        .text("mainclass", item.what()),
                item);
    }

    private static JsonBuilder ended(JsonBuilder json, WorkerRoster.Item item) {
        item.end().map(ChildExit::describe).ifPresent(how -> json.text("message", how));
        item.end()
                .map(ChildExit::status)
                .filter(status -> status.isPresent())
                .ifPresent(status -> json.number("exitstatus", status.getAsInt()));
        return json;
    }

    private static JsonBuilder resources(List<ResourceInformation> resources) {
        JsonBuilder named = new JsonBuilder();
        resources.forEach(resource -> named.object(
                resource.name(),
                new JsonBuilder().text("name", resource.name()).texts("addresses", resource.addresses())));
        return named;
    }

    private CompletionStage<HttpAnswer> log(HttpRequest request) {
        LogSource source;
        OutputName output;
        OptionalLong offset;
        int length;
        try {
            source = source(request);
            output = output(request.parameter("logType").orElse(""));
            offset = request.parameter("offset")
                    .map(WorkerPages::number)
                    .map(OptionalLong::of)
                    .orElseGet(OptionalLong::empty);
            length = (int) Math.min(
                    OutputBytes.LENGTH_MAX,
                    request.parameter("byteLength").map(WorkerPages::number).orElse((long) LENGTH_DEFAULT));
        } catch (IllegalArgumentException wrong) {
            return CompletableFuture.completedStage(HttpAnswer.text(BAD_REQUEST, wrong.getMessage() + "\n"));
        }
        boolean isPage = request.prefix().equals("/logPage");
        return outputs.read(source, output, offset, length)
                .thenApply(found -> found.map(part -> isPage ? page(source, output, part) : text(source, output, part))
                        .orElseGet(() -> HttpAnswer.text(
                                NOT_FOUND,
                                "log of " + source + ": this worker has no files of it (expected: a process that this"
                                        + " worker has started, and whose work directory was not removed)\n")));
    }

    private static LogSource source(HttpRequest request) {
        Optional<String> application = request.parameter("appId");
        Optional<String> executor = request.parameter("executorId");
        Optional<String> driver = request.parameter("driverId");
        if (application.isPresent() && executor.isPresent() && driver.isEmpty()) {
            return LogSource.ofExecutor(new ApplicationId(application.get()), new ExecutorId(executor.get()));
        }
        if (driver.isPresent() && application.isEmpty() && executor.isEmpty()) {
            return LogSource.ofDriver(new SubmissionId(driver.get()));
        }
        throw new IllegalArgumentException("log: no process (expected: appId and executorId, or driverId)");
    }

    private static OutputName output(String name) {
        for (OutputName output : OutputName.values()) {
            if (output.file().equals(name)) {
                return output;
            }
        }
        throw new IllegalArgumentException("log: logType '" + name + "' (expected: stdout or stderr)");
    }

    private static long number(String text) {
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("log: '" + text + "' (expected: a number of bytes)", wrong);
        }
    }

    private static HttpAnswer text(LogSource source, OutputName output, OutputBytes.Part part) {
        return HttpAnswer.text(OK, header(source, output, part) + part.text());
    }

    private static HttpAnswer page(LogSource source, OutputName output, OutputBytes.Part part) {
        return HttpAnswer.html(
                OK,
                "<!doctype html><meta charset=\"utf-8\"><title>" + escaped(output.file() + " of " + source)
                        + "</title><pre>" + escaped(header(source, output, part) + part.text()) + "</pre>\n");
    }

    private static String header(LogSource source, OutputName output, OutputBytes.Part part) {
        String directory = source.application().map(id -> id + "/").orElse("") + source.process();
        return "==== Bytes " + part.first() + "-" + part.end() + " of " + part.total() + " of " + directory + "/"
                + output.file() + " ====\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
