package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.metrics.MetricSource.Sample;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Metrics of a master or worker at the paths and in the forms of Spark: JSON as its metrics servlet, and text as its servlet
 * for Prometheus. Any thread may call.
 */
final class MetricsPage implements HttpHandler {
    static final String PREFIX = "/metrics";

    private static final String APPLICATION = "application.";
    private static final String STATUS = "status";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final MetricSource source;
    private final Map<String, Predicate<Sample>> groups; // by the start of the path

    private MetricsPage(MetricSource source, Map<String, Predicate<Sample>> groups) {
        this.source = source;
        this.groups = Map.copyOf(groups);
    }

    /** Metrics of a master at {@code /metrics/master/...}, those of its applications at {@code /metrics/applications/...}. */
    static MetricsPage ofMaster(MetricSource source) {
        return new MetricsPage(
                source,
                Map.of("master/", sample -> !isOfApplication(sample), "applications/", MetricsPage::isOfApplication));
    }

    /** Metrics of a worker at {@code /metrics/...}. */
    static MetricsPage ofWorker(MetricSource source) {
        return new MetricsPage(source, Map.of("", sample -> true));
    }

    private static boolean isOfApplication(Sample sample) {
        return sample.name().startsWith(APPLICATION);
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        return CompletableFuture.completedStage(answer(request));
    }

    private HttpAnswer answer(HttpRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return HttpAnswer.text(METHOD_NOT_ALLOWED, request.method() + ": not possible here (expected: GET)\n")
                    .with("Allow", "GET, HEAD");
        }
        for (Map.Entry<String, Predicate<Sample>> group : groups.entrySet()) {
            if (request.rest().equals(group.getKey() + "json")) {
                return uncached(HttpAnswer.json(OK, json(samples(group.getValue())) + "\n"));
            }
            if (request.rest().equals(group.getKey() + "prometheus")) {
                return uncached(HttpAnswer.text(OK, prometheus(samples(group.getValue()))));
            }
        }
        return HttpAnswer.text(NOT_FOUND, request.path() + ": no metrics (expected: one of " + paths() + ")\n");
    }

    private List<String> paths() {
        return groups.keySet().stream()
                .flatMap(group -> Stream.of("json", "prometheus").map(form -> PREFIX + "/" + group + form))
                .sorted()
                .toList();
    }

    private List<Sample> samples(Predicate<Sample> chosen) {
        return source.samples().stream().filter(chosen).toList();
    }

    private static HttpAnswer uncached(HttpAnswer answer) {
        return answer.with("Cache-Control", "no-store");
    }

    private static JsonBuilder json(List<Sample> samples) {
        JsonBuilder gauges = new JsonBuilder();
        for (Sample sample : samples) {
            JsonBuilder value = new JsonBuilder();
            text(sample)
                    .ifPresentOrElse(text -> value.text("value", text), () -> value.number("value", number(sample)));
            gauges.object(sample.name(), value);
        }
        return new JsonBuilder()
                .text("version", "4.0.0")
                .object("gauges", gauges)
                .object("counters", new JsonBuilder())
                .object("histograms", new JsonBuilder())
                .object("meters", new JsonBuilder())
                .object("timers", new JsonBuilder());
    }

    private static String prometheus(List<Sample> samples) {
        return samples.stream()
                .filter(sample -> text(sample).isEmpty())
                .map(sample -> {
                    String name = "metrics_" + sample.name().replaceAll("[^a-zA-Z0-9]", "_") + "_";
                    String value = "{type=\"gauges\"} " + number(sample) + "\n";
                    return name + "Number" + value + name + "Value" + value;
                })
                .collect(Collectors.joining());
    }

    /** The text of a metric that is a text in Spark. */
    private static Optional<String> text(Sample sample) {
        return Optional.ofNullable(sample.labels().get(STATUS));
    }

    private static long number(Sample sample) {
        return Math.round(sample.value());
    }

    @Override
    public String description() {
        return "metrics in the forms of Spark: " + String.join(", ", paths());
    }
}
